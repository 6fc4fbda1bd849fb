//! What failing kernel tests print. The crate is `tests/fixtures/failing_tests`, built here as a user would; what each of its tests must
//! print is in its folder `expected`. `BLESS=1 cargo test --test failing_tests` records it anew.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/failing_tests")
}

fn cargo_test(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO"))
        .args(["test", "--quiet", "--color=never", "--lib", "--target-dir"])
        .arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join("fixtures"))
        .arg("--")
        .args(arguments)
        .current_dir(fixture())
        .env_remove("RUSTFLAGS")
        .env("RUST_BACKTRACE", "0")
        .env("THREADWISE_TEST_DEVICE", "sim")
        .output()
        .expect("cargo starts")
}

/// The report of each failed test, by the test's name.
fn reports(said: &str) -> Vec<(String, String)> {
    let parts = said.split("\n---- ").skip(1);
    parts
        .filter_map(|part| {
            let (name, rest) = part.split_once(" stdout ----\n")?;
            let report = rest.split("\nfailures:\n").next()?;
            // The number of the operating system's thread is another each time.
            let mut report: Vec<String> = report.trim().lines().map(str::to_owned).collect();
            if let Some(first) = report.first_mut()
                && let (Some(open), Some(close)) = (first.find(" ("), first.find(") "))
            {
                first.replace_range(open..=close, "");
            }
            report.retain(|line| !line.starts_with("note: run with `RUST_BACKTRACE=1`"));
            Some((name.rsplit("::").next()?.to_owned(), report.join("\n").trim_end().to_owned() + "\n"))
        })
        .collect()
}

#[test]
fn failing_tests_print_what_is_recorded() {
    let output = cargo_test(&[]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let reports = reports(&said);
    assert!(!output.status.success() && !reports.is_empty(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("0 passed"), "a test of the fixture passes:\n{said}");

    let folder = fixture().join("expected");
    let mut problems = String::new();
    for (name, report) in &reports {
        let file = folder.join(format!("{name}.txt"));
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&file, report).expect("the file can be written");
            continue;
        }
        let expected = std::fs::read_to_string(&file).unwrap_or_default();
        if expected != *report {
            let _ = writeln!(problems, "=== {name}: expected\n{expected}\n=== {name}: found\n{report}");
        }
    }
    let recorded = std::fs::read_dir(folder).expect("the folder is there").count();
    assert!(problems.is_empty(), "{problems}\n`BLESS=1 cargo test --test failing_tests` records what was found");
    assert_eq!(recorded, reports.len(), "a recorded report belongs to no test");
}
