//! Published crates in kernels: `tests/fixtures/crates`, built and run here as a user would, compares each with the same code on the host.

use std::path::Path;
use std::process::Command;

fn run(profile: &[&str]) {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/crates/Cargo.toml");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fixtures");
    let output = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--color=never"])
        .args(profile)
        .arg("--manifest-path")
        .arg(manifest)
        .arg("--target-dir")
        .arg(target)
        .env_remove("THREADWISE_DUMP")
        .env_remove("RUSTFLAGS")
        .output()
        .expect("cargo starts");
    let (said, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}{errors}");
    assert_eq!(said.matches(": right").count(), 18, "{said}{errors}");
}

#[test]
fn crates_compute_on_the_device_what_they_compute_on_the_host() {
    run(&[]);
}

#[test]
#[ignore = "compiles all the crates twice with optimization, which takes minutes"]
fn so_they_do_in_release_builds() {
    run(&["--release"]);
}
