//! Command lines as cargo 1.95 writes them, shortened in their paths only.

use super::*;

const LIB: &str = "--crate-name dep --edition=2024 dep/src/lib.rs --error-format=json \
    --json=diagnostic-rendered-ansi,artifacts,future-incompat --crate-type lib --emit=dep-info,metadata,link -C embed-bitcode=no \
    -C debuginfo=2 --check-cfg cfg(docsrs,test) --check-cfg cfg(feature,values()) -C metadata=a1 -C extra-filename=-4267 \
    --out-dir /t/debug/deps -C incremental=/t/debug/incremental -L dependency=/t/debug/deps --extern threadwise=/t/debug/deps/libthreadwise-93.rmeta";
const BIN: &str = "--crate-name app --edition=2024 app/src/main.rs --error-format=json --json=artifacts --diagnostic-width=120 --crate-type bin \
    --emit=dep-info,link -C embed-bitcode=no -C debuginfo=2 -C metadata=a2 -C extra-filename=-4de0 --out-dir /t/debug/deps \
    -C incremental=/t/debug/incremental -L dependency=/t/debug/deps --extern dep=/t/debug/deps/libdep-10.rlib";
const RELEASE: &str = "--crate-name app --edition=2024 app/src/main.rs --error-format=json --json=artifacts --crate-type bin \
    --emit=dep-info,link -C opt-level=3 -C panic=abort -C lto=thin -C metadata=a3 -C extra-filename=-77 --out-dir /t/release/deps \
    -C strip=debuginfo -L dependency=/t/release/deps";
const EXAMPLE: &str = "--crate-name e --edition=2024 app/examples/e.rs --crate-type bin --emit=dep-info,link -C embed-bitcode=no \
    -C debuginfo=2 -C metadata=a4 -C extra-filename=-88 --out-dir /t/debug/examples -C incremental=/t/debug/incremental";
const TEST: &str = "--crate-name t --edition=2024 app/tests/t.rs --emit=dep-info,link -C embed-bitcode=no -C debuginfo=2 --test \
    -C metadata=a5 -C extra-filename=-99 --out-dir /t/debug/deps -C incremental=/t/debug/incremental";
const BENCH: &str = "--crate-name b --edition=2024 app/benches/b.rs --crate-type bin --emit=dep-info,link -C opt-level=3 \
    -C embed-bitcode=no --cfg test -C metadata=a6 -C extra-filename=-aa --out-dir /t/release/deps";
const CHECK: &str = "--crate-name app --edition=2024 app/src/main.rs --crate-type bin --emit=dep-info,metadata -C embed-bitcode=no \
    -C metadata=a7 -C extra-filename=-bb --out-dir /t/debug/deps";

fn parse(line: &str) -> CommandLine {
    CommandLine::parse(line.split_whitespace().map(OsString::from)).unwrap()
}

fn device_pass(line: &str) -> String {
    let arguments = parse(line).device_pass(Path::new("/w/x.bc"), Path::new("/w"), true);
    arguments.iter().map(|a| a.to_str().unwrap()).collect::<Vec<_>>().join(" ")
}

const ADDED: &str = "--emit=llvm-bc=/w/x.bc --out-dir=/w --cap-lints=allow -Copt-level=3 -Cno-prepopulate-passes -Ccodegen-units=1 \
    -Cdebuginfo=line-directives-only";

#[test]
fn a_library_keeps_its_identity_and_dependencies() {
    let kept = "--crate-name dep --edition=2024 dep/src/lib.rs --crate-type lib --check-cfg cfg(docsrs,test) --check-cfg \
        cfg(feature,values()) -C metadata=a1 -L dependency=/t/debug/deps --extern threadwise=/t/debug/deps/libthreadwise-93.rmeta";
    assert_eq!(device_pass(LIB), format!("{kept} {ADDED} -Cpanic=abort -Cdebug-assertions=on -Coverflow-checks=on"));
}

#[test]
fn a_release_binary_has_no_assertions_and_no_lto() {
    let kept = "--crate-name app --edition=2024 app/src/main.rs --crate-type bin -C metadata=a3 -L dependency=/t/release/deps";
    assert_eq!(device_pass(RELEASE), format!("{kept} {ADDED} -Cpanic=abort -Cdebug-assertions=off -Coverflow-checks=off"));
}

#[test]
fn a_test_unwinds() {
    let kept = "--crate-name t --edition=2024 app/tests/t.rs --test -C metadata=a5";
    assert_eq!(device_pass(TEST), format!("{kept} {ADDED} -Cpanic=unwind -Cdebug-assertions=on -Coverflow-checks=on"));
}

#[test]
fn binaries_examples_and_benches_are_compiled_for_the_device() {
    for (line, name, out) in [(BIN, "app", "/t/debug/deps"), (EXAMPLE, "e", "/t/debug/examples"), (BENCH, "b", "/t/release/deps")] {
        let command = parse(line);
        assert!(command.makes_code(), "{line}");
        assert_eq!(command.crate_name(), name);
        assert_eq!(command.out_dir().unwrap(), Path::new(out));
    }
    assert!(device_pass(BENCH).contains("--cfg test"));
    assert_eq!(parse(BIN).extra_filename(), "-4de0");
}

#[test]
fn whatever_makes_no_program_needs_no_device_code() {
    assert!(!parse(CHECK).makes_code());
    for line in [
        "--crate-name rust_out -",
        "x.rs --print cfg",
        "x.rs --print=file-names",
        "x.rs -Zunpretty=expanded",
        "x.rs -Z no-codegen",
        "x.rs --crate-type proc-macro",
        "x.rs --emit metadata",
        "--version",
    ] {
        assert!(!parse(line).makes_code(), "{line}");
    }
    for line in
        ["x.rs", "x.rs --emit link", "x.rs --emit=asm,link=/o/x", "x.rs --print native-static-libs", "x.rs --emit=metadata --emit=link"]
    {
        assert!(parse(line).makes_code(), "{line}");
    }
}

#[test]
fn values_are_not_taken_for_the_source_file() {
    let command = parse("--edition 2024 --cfg - -L native=/x -o /o/prog -l c -A dead_code --extern a=b my-prog.rs");
    assert!(command.makes_code());
    assert_eq!(command.crate_name(), "my_prog");
    assert_eq!(command.out_dir().unwrap(), Path::new("/o"));
    assert_eq!(parse("x.rs -o prog").out_dir(), None);
}

#[test]
fn assertions_follow_the_last_word_of_the_outer_command() {
    for (line, assertions, overflow) in [
        ("x.rs", true, true),
        ("x.rs -O", false, false),
        ("x.rs -O -Copt-level=0", true, true),
        ("x.rs -C opt-level=0 -O", false, false),
        ("x.rs -C opt_level=s", false, false),
        ("x.rs -O -C debug-assertions", true, true),
        ("x.rs -O -Cdebug-assertions=on -C overflow-checks=no", true, false),
        ("x.rs --codegen debug-assertions=off --codegen=overflow-checks=yes", false, true),
        ("x.rs -C debug-assertions=y -C debug-assertions=n", false, false),
    ] {
        let command = parse(line);
        assert_eq!((command.debug_assertions(), command.overflow_checks()), (assertions, overflow), "{line}");
    }
}

#[test]
fn flags_about_symbols_stay_and_those_about_machine_code_go() {
    let line = "x.rs -g -O -v -C symbol-mangling-version=v0 -Ctarget-cpu=native -C target-feature=+avx2 -C lto -C linker=lld \
        -C link-arg=-Wl,x -C instrument-coverage -Z self-profile -Zsanitizer=address -Z crate-attr=feature(x) -Zcodegen-backend=cranelift \
        --cap-lints warn --color always --target aarch64-unknown-linux-gnu --sysroot /s --remap-path-prefix=/a=/b";
    let pass = device_pass(line);
    let kept = "x.rs -C symbol-mangling-version=v0 -Z crate-attr=feature(x) --target aarch64-unknown-linux-gnu --sysroot /s \
        --remap-path-prefix=/a=/b";
    assert!(pass.starts_with(&format!("{kept} {ADDED}")), "{pass}");
    assert_eq!(parse(line).target(), Some("aarch64-unknown-linux-gnu"));
    assert_eq!(parse(line).sysroot().unwrap(), Path::new("/s"));
}

#[test]
fn response_files_are_read() {
    let file = std::env::temp_dir().join(format!("threadwise-arguments-{}", std::process::id()));
    std::fs::write(&file, "--crate-name\na b\n--emit=link\nsrc/x y.rs\n").unwrap();
    let command = CommandLine::parse([OsString::from(format!("@{}", file.display())), "--test".into()]).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert!(command.makes_code() && command.is_test());
    assert_eq!(command.crate_name(), "a b");
    assert!(CommandLine::parse([OsString::from("@/no/such/file")]).is_err());
}

#[cfg(unix)]
#[test]
fn paths_need_not_be_utf8() {
    use std::os::unix::ffi::OsStringExt;
    let out_dir = OsString::from_vec(b"--out-dir=/t\xff/deps".to_vec());
    let command = CommandLine::parse(["x.rs".into(), out_dir]).unwrap();
    assert_eq!(command.out_dir().unwrap().as_os_str().as_encoded_bytes(), b"/t\xff/deps");
}
