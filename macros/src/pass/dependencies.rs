//! Bitcode of the crate's dependencies, made by a second `cargo build` of theirs when kernels need a body that only they have.
//!
//! That build has the user's profile, features and target, so that its symbols are those which the user's build refers to, and a target
//! folder of its own, where cargo keeps it: later builds only ask cargo whether it is up to date.

use std::collections::{BTreeSet, HashSet};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use threadwise_abi::symbols::DEVICE_PASS_ENV;

use super::command::CommandLine;
use super::work::base_folder;

/// What the bitcode of a dependency is made with. All else is as in the user's build: at another level of optimization, other functions
/// would have symbols.
const FLAGS: [&str; 4] = ["--emit=llvm-bc", "-Cno-prepopulate-passes", "-Ccodegen-units=1", "-Cdebuginfo=line-directives-only"];

/// Variables that cargo sets for one compilation, and those that tie a process to the cargo that started it.
const NOT_INHERITED: [&str; 9] = [
    "CARGO_BIN_NAME",
    "CARGO_CRATE_NAME",
    "CARGO_MAKEFLAGS",
    "CARGO_PRIMARY_PACKAGE",
    "CARGO_TARGET_TMPDIR",
    "MAKEFLAGS",
    "MFLAGS",
    "OUT_DIR",
    "RUSTC_WORKSPACE_WRAPPER",
];

/// Bitcode files, among them those of all dependencies that define one of `symbols`.
///
/// # Errors
/// Why there are none: cargo's words, or that cargo did not start this compilation.
pub(super) fn bitcode(rustc: &Path, command: &CommandLine, symbols: &[String]) -> Result<Vec<PathBuf>, String> {
    let cargo = std::env::var_os("CARGO").ok_or("this rustc was not started by cargo")?;
    let manifest = std::env::var_os("CARGO_MANIFEST_PATH").map(PathBuf::from);
    let folder = std::env::var_os("CARGO_MANIFEST_DIR").map(|folder| Path::new(&folder).join("Cargo.toml"));
    let manifest = manifest.or(folder).ok_or("cargo named no manifest")?;
    let names = owners(command, symbols)?;
    let packages = packages(&cargo, &manifest, command.target(), &names)?;
    if packages.is_empty() {
        return Err(format!("no package of cargo's has the library `{}`", names.into_iter().collect::<Vec<_>>().join("`, `")));
    }
    let target = base_folder(command).map_err(|e| e.to_string())?.join("bitcode");
    let profile = command.profile_folder().ok_or("the compilation writes to no folder of cargo's")?;
    let mut build = cargo_command(&cargo, &manifest);
    build.args(["build", "--quiet", "--lib", "--color=never", "--target-dir"]).arg(&target);
    if profile != "debug" {
        build.arg("--profile").arg(&profile);
    }
    if let Some(triple) = command.target() {
        build.arg("--target").arg(triple);
    }
    for package in packages {
        build.arg("--package").arg(package);
    }
    let flags: Vec<String> = users_flags().into_iter().chain(FLAGS.map(str::to_owned)).collect();
    build.env("RUSTC", rustc).env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f")).env_remove("RUSTFLAGS").env(DEVICE_PASS_ENV, "1");
    run(&mut build)?;

    let place = command.target().map_or_else(|| target.clone(), |triple| target.join(triple)).join(profile).join("deps");
    let entries = std::fs::read_dir(&place).map_err(|e| format!("cannot read {}: {e}", place.display()))?;
    Ok(entries.flatten().map(|entry| entry.path()).filter(|path| path.extension() == Some(OsStr::new("bc"))).collect())
}

/// The crates that have the symbols: those whose libraries define them, and those named in the symbols, for libraries that are not there yet.
fn owners(command: &CommandLine, symbols: &[String]) -> Result<BTreeSet<String>, String> {
    let set: HashSet<&str> = symbols.iter().map(String::as_str).collect();
    let mut names: BTreeSet<String> = BTreeSet::new();
    for library in command.libraries() {
        let Some(name) = crate_name(&library) else { continue };
        // A library that is being written is looked for by name, below.
        if !names.contains(&name) && threadwise_codegen::archive::defines(&library, &set).unwrap_or(false) {
            names.insert(name);
        }
    }
    if names.is_empty() {
        // A crate's name is the beginning of its functions' paths; an instance of a generic function may be in any direct dependency.
        let paths = symbols.iter().map(|symbol| threadwise_codegen::demangle(symbol));
        names.extend(paths.filter_map(|path| Some(path.trim_start_matches('<').split("::").next()?.to_owned())));
        names.extend(command.dependencies());
    }
    Ok(names)
}

/// `name` of `libname-0123456789abcdef.rlib`.
fn crate_name(library: &Path) -> Option<String> {
    let stem = library.file_stem()?.to_str()?.strip_prefix("lib")?;
    Some(stem.rsplit_once('-').map_or(stem, |(name, _)| name).to_owned())
}

/// `name@version` of the packages whose libraries have these names.
fn packages(cargo: &OsStr, manifest: &Path, triple: Option<&str>, names: &BTreeSet<String>) -> Result<BTreeSet<String>, String> {
    let mut tree = cargo_command(cargo, manifest);
    tree.args(["tree", "--quiet", "--workspace", "--edges=all", "--prefix=none", "--color=never", "--format={lib}|{p}"]);
    if let Some(triple) = triple {
        tree.arg("--target").arg(triple);
    }
    let listed = run(&mut tree)?;
    let package = |line: &str| {
        let (library, package) = line.split_once('|')?;
        let mut words = package.split(' ');
        let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);
        names.contains(&library.replace('-', "_")).then(|| format!("{name}@{version}"))
    };
    Ok(listed.lines().filter_map(package).collect())
}

fn cargo_command(cargo: &OsStr, manifest: &Path) -> Command {
    let mut command = Command::new(cargo);
    for (name, _) in std::env::vars_os() {
        let of_package = name.to_str().is_some_and(|name| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_"));
        if of_package || NOT_INHERITED.iter().any(|other| name == *other) {
            command.env_remove(&name);
        }
    }
    command.arg("--offline").arg("--config").arg("term.progress.when='never'").stdin(Stdio::null());
    command.env("CARGO_TERM_QUIET", "true").current_dir(manifest.parent().unwrap_or(Path::new(".")));
    command
}

/// Standard output of a cargo that went well.
fn run(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|e| format!("cannot start cargo: {e}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    let errors: Vec<&str> = stderr.lines().filter(|line| line.starts_with("error")).take(3).collect();
    Err(if errors.is_empty() { format!("cargo ended with {}", output.status) } else { errors.join("; ") })
}

/// The `--cfg`s of the flags that the environment gives: they may decide what a dependency is. Others are about the host's machine code.
fn users_flags() -> Vec<String> {
    let encoded = std::env::var("CARGO_ENCODED_RUSTFLAGS").ok();
    let flags = encoded.map(|flags| flags.split('\x1f').map(OsString::from).collect());
    let plain = || std::env::var("RUSTFLAGS").ok().map(|flags| flags.split_whitespace().map(OsString::from).collect());
    let flags: Vec<OsString> = flags.or_else(plain).unwrap_or_default();
    CommandLine::parse(flags).map(|flags| flags.cfgs()).unwrap_or_default()
}
