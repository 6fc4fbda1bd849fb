//! Kernels that cannot be lowered are compile errors that name kernel, call chain, place and cure. The programs are in
//! `tests/fixtures/refused`, built here as a user would.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

/// What the compiler said of each program.
fn errors() -> &'static BTreeMap<String, String> {
    static ERRORS: OnceLock<BTreeMap<String, String>> = OnceLock::new();
    ERRORS.get_or_init(|| {
        let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/refused");
        let sources = std::fs::read_dir(fixture.join("src/bin")).expect("the programs");
        let names = sources.map(|s| s.expect("an entry").path().file_stem().expect("a name").to_string_lossy().into_owned());
        names.map(|name| (name.clone(), build(&fixture, &name))).collect()
    })
}

fn build(fixture: &Path, program: &str) -> String {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fixtures");
    let output = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--color=never", "--bin", program, "--manifest-path"])
        .arg(fixture.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(target)
        .env_remove("THREADWISE_DUMP")
        .env_remove("RUSTFLAGS")
        .output()
        .expect("cargo starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success(), "{program} was built:\n{said}");
    said
}

fn expect(program: &str, parts: &[&str]) {
    let said = &errors()[program];
    for part in parts {
        assert!(said.contains(part), "no `{part}` in:\n{said}");
    }
    // The compiler itself must not have crashed.
    assert!(!said.contains("signal:") && !said.contains("LLVM ERROR") && !said.contains("panicked at"), "{said}");
}

#[test]
fn host_function_is_named_with_the_chain_of_calls() {
    expect(
        "file",
        &[
            "reads_a_file",
            "calls `file::helper` at src/bin/file.rs:16",
            "calls `file::from_disk` at src/bin/file.rs:9",
            "std::",
            "src/bin/file.rs:13:4",
            "cure:",
        ],
    );
}

#[test]
fn assembly_is_named_with_its_line() {
    expect("assembly", &["runs_assembly", "inline assembly (`mov", "src/bin/assembly.rs:10", "cure:"]);
}

#[test]
fn foreign_function_is_named() {
    expect("foreign", &["calls_c", "`getpid`", "foreign (C) function", "src/bin/foreign.rs:12"]);
}

#[test]
fn thread_local_is_refused_for_the_kernel_that_uses_it_only() {
    expect("thread_local", &["counts", "thread-local", "cure:"]);
    assert!(!errors()["thread_local"].contains("innocent"));
}

#[test]
fn instruction_of_the_host_is_an_error_and_no_abort() {
    expect("vector_instruction", &["uses_sse", "llvm.x86.sse42.crc32", "portable Rust"]);
}

#[test]
fn shared_memory_in_a_loop_is_refused() {
    expect("shared_in_loop", &["aliases", "more than once per thread", "src/bin/shared_in_loop.rs:9", "cure:"]);
}

#[test]
fn closure_with_a_reference_is_refused() {
    expect("captures_reference", &["captures_reference::fill", "captures a reference", "cure:", "src/bin/captures_reference.rs:7"]);
}

#[test]
fn function_pointer_of_the_host_is_refused() {
    expect("function_pointer", &["function_pointer::fill", "function pointer", "cure:"]);
}

#[test]
fn kernels_that_cannot_be_told_apart_are_refused() {
    expect("macro_twice", &["there are two kernels `macro_twice::set`", "cure:"]);
}

#[test]
fn dynamic_shared_memory_taken_twice_is_refused() {
    expect("dynamic_twice", &["dynamic_twice::aliases", "more than once per thread"]);
}

#[test]
fn parameters_beyond_the_limit_are_refused_with_their_size() {
    expect("large_parameters", &["large_parameters::sums", "take 32784 bytes", "room for 32764", "cure:", "src/bin/large_parameters.rs:6"]);
}

#[test]
fn type_error_is_reported_once_at_the_users_line() {
    expect("type_error", &["mismatched types", "src/bin/type_error.rs:8"]);
    assert_eq!(errors()["type_error"].matches("error[").count(), 1, "{}", errors()["type_error"]);
}
