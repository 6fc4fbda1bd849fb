//! Repository chores: `cargo xtask tidy`, `cargo xtask gpu`, `cargo xtask build-time`.

#![forbid(unsafe_code)]

mod build_time;
mod cargo;
mod gpu;
mod tidy;

use std::process::ExitCode;

type Result<T, E = Box<dyn std::error::Error>> = std::result::Result<T, E>;

/// A chore: its name, what it does, and the function.
type Chore = (&'static str, &'static str, fn(&[String]) -> Result<ExitCode>);

const CHORES: &[Chore] = &[
    ("tidy", "checks layering, file sizes, leftovers and what the documentation names", tidy::run),
    ("gpu", "collects examples, tests and benchmarks in target/gpu-bundle, for a machine with a GPU and no Rust [--dev]", gpu::run),
    ("build-time", "measures what device code adds to a rebuild [EXAMPLE] [--runs N]", build_time::run),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let chore = arguments.first().and_then(|name| CHORES.iter().find(|(chore, ..)| chore == name));
    let Some((_, _, run)) = chore else {
        eprintln!("usage: cargo xtask CHORE");
        for (name, what, _) in CHORES {
            eprintln!("  {name:<11} {what}");
        }
        return ExitCode::FAILURE;
    };
    run(&arguments[1..]).unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::FAILURE
    })
}
