//! Tells the macros which host they are built for: a proc macro runs inside the compiler of that host.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let host = std::env::var("TARGET").expect("cargo sets TARGET for build scripts");
    println!("cargo::rustc-env=THREADWISE_HOST={host}");
}
