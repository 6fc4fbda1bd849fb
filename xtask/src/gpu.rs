//! Everything that runs on a GPU, in one folder, for a machine that has a GPU and no Rust.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, ExitCode};

use crate::cargo::{self, Program, root};
use crate::{CHORES, Result};

/// The packages whose integration tests run on whatever device there is.
const TESTED: &[&str] = &["threadwise", "threadwise-host"];

/// What the source of an integration test says that starts cargo.
const NEEDS_RUST: &[&str] = &["env!(\"CARGO\")", "trybuild::"];

/// What runs the bundle.
const RUN: &str = include_str!("gpu/run.sh");

/// `--dev` adds the tests of the dev profile, whose kernels format their panic messages.
pub(crate) fn run(arguments: &[String]) -> Result<ExitCode> {
    let dev = match arguments {
        [] => false,
        [flag] if flag == "--dev" => true,
        _ => return Err(format!("unknown arguments {arguments:?}; {}", CHORES[1].1).into()),
    };
    let bundle = cargo::target_folder(&cargo::metadata()?)?.join("gpu-bundle");
    if bundle.exists() {
        fs::remove_dir_all(&bundle)?;
    }

    let mut bytes = 0;
    let examples = cargo::programs(&["build", "--release", "--package=threadwise", "--examples"])?;
    for example in examples.iter().filter(|program| program.kind == "example") {
        bytes += collect(example, &bundle.join("examples"), &example.name)?;
    }
    bytes += tests(&bundle.join("tests"), &["--release"])?;
    if dev {
        bytes += tests(&bundle.join("tests-dev"), &[])?;
    }

    let programs = cargo::programs(&["build", "--release", "--package=threadwise-bench"])?;
    let bench = programs.iter().find(|program| program.kind == "bin").ok_or("threadwise-bench has no program")?;
    bytes += collect(bench, &bundle.join("bench"), "threadwise-bench")?;
    copy_sources(&root().join("bench"), &bundle.join("bench"))?;

    let snapshots = bundle.join("package/tests/snapshots");
    fs::create_dir_all(&snapshots)?;
    for snapshot in fs::read_dir(root().join("tests/snapshots"))? {
        let snapshot = snapshot?;
        fs::copy(snapshot.path(), snapshots.join(snapshot.file_name()))?;
    }

    let script = bundle.join("run.sh");
    fs::write(&script, RUN)?;
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755))?;
    println!("{}: {:.1} MiB of programs", bundle.display(), bytes as f64 / f64::from(1 << 20));
    Ok(ExitCode::SUCCESS)
}

fn tests(folder: &Path, profile: &[&str]) -> Result<u64> {
    let mut arguments = vec!["test", "--no-run", "--tests"];
    arguments.extend(profile);
    let packages: Vec<String> = TESTED.iter().map(|package| format!("--package={package}")).collect();
    arguments.extend(packages.iter().map(String::as_str));
    let mut bytes = 0;
    for test in cargo::programs(&arguments)?.iter().filter(|program| program.kind == "test") {
        let source = fs::read_to_string(&test.source)?;
        if !NEEDS_RUST.iter().any(|mark| source.contains(mark)) {
            let prefix = test.package.strip_prefix("threadwise-").map(|package| format!("{package}-")).unwrap_or_default();
            bytes += collect(test, folder, &format!("{prefix}{}", test.name))?;
        }
    }
    Ok(bytes)
}

/// Copies a program without its symbols; returns its size.
fn collect(program: &Program, folder: &Path, name: &str) -> Result<u64> {
    fs::create_dir_all(folder)?;
    let copy = folder.join(name);
    fs::copy(&program.path, &copy)?;
    // What links Rust programs comes with it; without, they are only larger.
    if !Command::new("strip").arg(&copy).status().is_ok_and(|status| status.success()) {
        eprintln!("{name}: not stripped");
    }
    Ok(fs::metadata(&copy)?.len())
}

/// The script and CUDA C++ of the benchmark.
fn copy_sources(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from.join("run.sh"), to.join("run.sh"))?;
    fs::create_dir_all(to.join("cuda"))?;
    for source in fs::read_dir(from.join("cuda"))? {
        let source = source?;
        fs::copy(source.path(), to.join("cuda").join(source.file_name()))?;
    }
    Ok(())
}
