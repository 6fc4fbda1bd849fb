//! What the compiler says of wrong kernels and launches, and that their right twins compile, device code included.
//!
//! The messages are those of the pinned toolchain; `TRYBUILD=overwrite cargo test --test ui` records them anew.

use std::process::Command;

/// The toolchain of `rust-toolchain.toml`, whose words the `.stderr` files hold.
const PINNED: &str = "rustc 1.95.";

#[test]
fn ui() {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().expect("rustc is there: it built this test");
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    if !version.starts_with(PINNED) {
        eprintln!("skipped: the messages were recorded with {PINNED}x, this is {}", version.trim());
        return;
    }
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/fail/*.rs");
    cases.pass("tests/ui/pass/*.rs");
}
