//! NVIDIA's assembler takes the PTX of every example, for several architectures. Without it the test says that it is skipped.
//!
//! The assembler is the one that `PTXAS` names, that of the wheel `nvidia-cuda-nvcc` in `.venv`, or the one on the `PATH`.

use std::path::{Path, PathBuf};
use std::process::Command;

const ARCHS: [&str; 3] = ["sm_75", "sm_80", "sm_90"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folders and files in `folder`, sorted.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    paths.sort();
    paths
}

fn works(ptxas: &Path) -> bool {
    Command::new(ptxas).arg("--version").output().is_ok_and(|output| output.status.success())
}

fn assembler() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("PTXAS") {
        let path = PathBuf::from(path);
        assert!(works(&path), "PTXAS names `{}`, which does not run", path.display());
        return Some(path);
    }
    let pythons = entries(&root().join(".venv/lib"));
    let wheels = pythons.iter().map(|python| python.join("site-packages/nvidia/cu13/bin/ptxas"));
    wheels.chain([PathBuf::from("ptxas")]).find(|path| works(path))
}

fn examples() -> Vec<String> {
    let sources = entries(&root().join("examples")).into_iter().filter(|path| path.extension().is_some_and(|end| end == "rs"));
    sources.map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned()).collect()
}

/// Builds an example for all architectures and returns its PTX files.
fn ptx_of(example: &str, scratch: &Path) -> Vec<PathBuf> {
    // Kept between runs: where nothing changed, cargo does not lower again, and what was written lies here still.
    let dump = scratch.join("ptxas").join(example);
    // In the target folder of this test, where everything but the example is built.
    let target = scratch.parent().expect("cargo's scratch folder lies in the target folder");
    let output = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--color=never", "--package=threadwise", "--example", example, "--target-dir"])
        .arg(target)
        .env("THREADWISE_ARCH", ARCHS.join(","))
        .env("THREADWISE_DUMP", &dump)
        .current_dir(root())
        .output()
        .expect("cargo starts");
    assert!(output.status.success(), "{example}:\n{}", String::from_utf8_lossy(&output.stderr));
    let files = entries(&dump).into_iter().flat_map(|path| if path.is_dir() { entries(&path) } else { vec![path] });
    files.filter(|file| file.extension().is_some_and(|end| end == "ptx")).collect()
}

#[test]
fn ptxas_accepts_every_example() {
    let examples = examples();
    assert!(!examples.is_empty(), "there are examples");
    let Some(ptxas) = assembler() else {
        println!("skipped: no ptxas ({} programs not assembled)", examples.len() * ARCHS.len());
        return;
    };
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut faults = Vec::new();
    for example in &examples {
        let files = ptx_of(example, scratch);
        for arch in ARCHS {
            let of_arch: Vec<_> = files.iter().filter(|file| file.to_string_lossy().ends_with(&format!("-{arch}.ptx"))).collect();
            assert!(!of_arch.is_empty(), "{example} has no PTX for {arch} among {files:?}");
            for file in of_arch {
                let cubin = file.with_extension("cubin");
                let output =
                    Command::new(&ptxas).arg(format!("-arch={arch}")).arg(file).arg("-o").arg(cubin).output().expect("ptxas starts");
                if !output.status.success() {
                    faults.push(format!("{}:\n{}", file.display(), String::from_utf8_lossy(&output.stderr)));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    println!("assembled {} programs with {}", examples.len() * ARCHS.len(), ptxas.display());
}
