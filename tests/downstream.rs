//! Kernels across crates. The crates are in `tests/fixtures/downstream`, built here as a user would.

use std::path::Path;
use std::process::Command;

/// Builds and runs the program of the fixture.
fn run(profile: &[&str]) {
    let output = Command::new(env!("CARGO"))
        .args(["run", "--color=never"])
        .args(profile)
        .arg("--target-dir")
        .arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join("fixtures"))
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/downstream"))
        .env_remove("RUSTFLAGS")
        .output()
        .expect("cargo starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("all right") && !said.contains("warning:"), "{said}");
}

#[test]
fn kernels_of_other_crates_run_with_types_and_closures_of_this_one_in_dev() {
    run(&[]);
}

#[test]
fn kernels_of_other_crates_run_with_types_and_closures_of_this_one_in_release() {
    run(&["--release"]);
}
