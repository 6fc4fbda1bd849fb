//! What device code adds to a rebuild.

use std::fs::File;
use std::path::Path;
use std::process::{ExitCode, Stdio};
use std::time::{Instant, SystemTime};

use threadwise_abi::symbols::DEVICE_PASS_ENV;

use crate::{Result, cargo};

/// One profile: the argument for cargo and its name.
const PROFILES: [(&str, &[&str]); 2] = [("dev", &[]), ("release", &["--release"])];

/// Rebuilds an example after touching it, with device code and without, in turn, and prints the medians.
///
/// "Without" is the same build in which the macros believe to be in the device pass already: they expand the same kernels and start neither
/// a second rustc nor the lowering.
pub(crate) fn run(arguments: &[String]) -> Result<ExitCode> {
    let mut example = "decay".to_owned();
    let mut runs = 10;
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--runs" => runs = rest.next().ok_or("--runs needs a number")?.parse()?,
            name if !name.starts_with('-') => example = name.to_owned(),
            other => return Err(format!("unknown argument {other}").into()),
        }
    }
    let source = cargo::root().join("examples").join(format!("{example}.rs"));
    if !source.is_file() || runs == 0 {
        return Err(format!("there is no {}, or nothing to run", source.display()).into());
    }
    let target = cargo::target_folder(&cargo::metadata()?)?.join("build-time");
    println!("rebuild of the example {example} after touching it: medians of {runs}, in ms");
    println!("| profile | without device code | with | added |");
    println!("|---|---:|---:|---:|");
    for (profile, flags) in PROFILES {
        let rebuild = |with: bool| rebuild(&source, &example, flags, &target, with);
        // The first builds everything.
        rebuild(true)?;
        let (mut with, mut without) = (Vec::new(), Vec::new());
        for _ in 0..runs {
            with.push(rebuild(true)?);
            without.push(rebuild(false)?);
        }
        let (with, without) = (median(with), median(without));
        println!("| {profile} | {without:.0} | {with:.0} | {:.0} |", with - without);
    }
    Ok(ExitCode::SUCCESS)
}

/// Milliseconds of `cargo build`.
fn rebuild(source: &Path, example: &str, flags: &[&str], target: &Path, with: bool) -> Result<f64> {
    File::options().append(true).open(source)?.set_modified(SystemTime::now())?;
    let mut command = cargo::command();
    command.args(["build", "--quiet", "--package=threadwise", "--example", example]).args(flags).arg("--target-dir").arg(target);
    if !with {
        command.env(DEVICE_PASS_ENV, "1");
    }
    let start = Instant::now();
    let status = command.stdin(Stdio::null()).status()?;
    let elapsed = start.elapsed().as_secs_f64() * 1e3;
    if status.success() { Ok(elapsed) } else { Err(format!("the example {example} does not build").into()) }
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    let middle = times.len() / 2;
    if times.len().is_multiple_of(2) { f64::midpoint(times[middle - 1], times[middle]) } else { times[middle] }
}
