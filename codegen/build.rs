//! Compiles the device runtime to bitcode.

use std::path::{Path, PathBuf};
use std::process::{Command, exit};

fn main() {
    println!("cargo::rerun-if-changed=runtime");
    let out = PathBuf::from(variable("OUT_DIR"));
    let source = out.join("runtime");
    mirror(Path::new("runtime"), &source);
    write(&source.join("record.rs"), threadwise_abi::PANIC_RECORD_SOURCE.as_bytes());

    let result = Command::new(variable("RUSTC"))
        .args(["--edition", "2024", "--crate-name", "threadwise_runtime", "--crate-type", "lib"])
        .args(["--cap-lints", "allow", "-Copt-level=3", "-Cno-prepopulate-passes", "-Cpanic=abort"])
        .args(["-Ccodegen-units=1", "-Coverflow-checks=off", "-Cdebug-assertions=off", "-Cdebuginfo=0"])
        .arg("--target")
        .arg(variable("TARGET"))
        .arg(format!("--emit=llvm-bc={}", out.join("runtime.bc").display()))
        .arg(source.join("lib.rs"))
        .output();
    match result {
        Ok(done) if done.status.success() => {}
        Ok(done) => fail(&format!("the device runtime does not compile:\n{}", String::from_utf8_lossy(&done.stderr))),
        Err(error) => fail(&format!("cannot start rustc: {error}")),
    }
}

/// Copies the runtime's sources, beside which the record's definition is put: the source folder may be read-only.
fn mirror(from: &Path, to: &Path) {
    if let Err(error) = std::fs::create_dir_all(to) {
        fail(&format!("cannot create {}: {error}", to.display()));
    }
    let entries = std::fs::read_dir(from).unwrap_or_else(|error| fail(&format!("cannot read {}: {error}", from.display())));
    for entry in entries.flatten() {
        let (path, copy) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            mirror(&path, &copy);
        } else {
            let bytes = std::fs::read(&path).unwrap_or_else(|error| fail(&format!("cannot read {}: {error}", path.display())));
            write(&copy, &bytes);
        }
    }
}

fn write(path: &Path, bytes: &[u8]) {
    if let Err(error) = std::fs::write(path, bytes) {
        fail(&format!("cannot write {}: {error}", path.display()));
    }
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| fail(&format!("cargo did not set {name}")))
}

fn fail(message: &str) -> ! {
    println!("cargo::error={}", message.replace('\n', "\ncargo::error="));
    exit(1)
}
