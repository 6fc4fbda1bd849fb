//! Kernels work in every kind of target, in dev and release profiles. The crate is `tests/fixtures/targets`, built here as a user would.

use std::path::Path;
use std::process::Command;

/// Runs cargo in the fixture and returns what it and the programs printed.
fn cargo(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(args)
        .args(["--color=never", "--target-dir"])
        .arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join("fixtures"))
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/targets"))
        .env_remove("RUSTFLAGS")
        .output()
        .expect("cargo starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo {args:?}:\n{said}");
    assert!(!said.contains("warning:"), "cargo {args:?} warns:\n{said}");
    said
}

#[test]
fn unit_and_integration_tests_run_kernels() {
    let said = cargo(&["test", "--lib", "--tests"]);
    assert!(said.contains("kernels_of_the_crate_and_of_its_unit_tests_run ... ok"), "{said}");
    assert!(said.contains("integration_test_ran ... ok"), "{said}");
}

#[test]
fn binaries_examples_and_benches_run_kernels() {
    assert!(cargo(&["run"]).contains("binary ran"));
    assert!(cargo(&["run", "--example", "example"]).contains("example ran"));
    // Benches are of the release profile.
    assert!(cargo(&["bench", "--bench", "bench"]).contains("bench ran"));
}

#[test]
fn release_builds_run_kernels() {
    assert!(cargo(&["run", "--release"]).contains("binary ran"));
}

#[test]
fn check_and_doc_need_no_device_code() {
    cargo(&["check", "--all-targets"]);
    cargo(&["doc", "--no-deps"]);
}

#[test]
fn incremental_build_takes_up_a_changed_kernel() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/targets");
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("changed");
    let _ = std::fs::remove_dir_all(&copy);
    std::fs::create_dir_all(copy.join("src")).expect("a folder");
    let manifest = std::fs::read_to_string(source.join("Cargo.toml")).expect("the manifest");
    let root = env!("CARGO_MANIFEST_DIR").replace('\\', "/");
    let manifest = manifest.split("[[bench]]").next().expect("the head").replace("../../..", &root).replace("\"targets\"", "\"changed\"");
    std::fs::write(copy.join("Cargo.toml"), manifest + "\n[profile.dev.package.threadwise-sim]\nopt-level = 3\n").expect("written");
    let program = |n: u32| {
        format!(
            "use threadwise::prelude::*;\n#[kernel]\nfn set(mut out: DisjointSlice<u32>) {{\n    if let Some(out) = out.get_mut(thread::index_1d()) {{\n        *out = {n};\n    }}\n}}\n\
             fn main() {{\n    let device = Device::new().unwrap();\n    let mut out = device.zeros::<u32>(1).unwrap();\n    set(&mut out).over(1).launch().unwrap();\n    println!(\"got {{}}\", out.to_host().unwrap()[0]);\n}}\n"
        )
    };
    for n in [3, 4] {
        std::fs::write(copy.join("src/main.rs"), program(n)).expect("written");
        let output = Command::new(env!("CARGO"))
            .args(["run", "--color=never", "--target-dir"])
            .arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join("fixtures"))
            .current_dir(&copy)
            .output()
            .expect("cargo starts");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.contains(&format!("got {n}")), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    }
}
