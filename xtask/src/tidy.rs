//! What holds for the repository as a whole.

mod crates;
mod documents;
mod files;

use std::process::{Command, ExitCode};

use crate::cargo;
use crate::{Result, cargo::root};

/// The faults found, each naming its place.
#[derive(Default)]
pub(crate) struct Faults(Vec<String>);

impl Faults {
    fn add(&mut self, fault: impl Into<String>) {
        self.0.push(fault.into());
    }
}

pub(crate) fn run(_: &[String]) -> Result<ExitCode> {
    let metadata = cargo::metadata()?;
    let files = tracked_files()?;
    let mut faults = Faults::default();
    crates::check(&metadata, &mut faults)?;
    files::check(&files, &mut faults)?;
    documents::check(&files, &metadata, &mut faults)?;
    for fault in &faults.0 {
        eprintln!("{fault}");
    }
    println!("tidy: {} files, {} faults", files.len(), faults.0.len());
    Ok(if faults.0.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The paths that git tracks and that are still there, relative to the root.
fn tracked_files() -> Result<Vec<String>> {
    let output = Command::new("git").args(["ls-files", "-z"]).current_dir(root()).output()?;
    if !output.status.success() {
        return Err(format!("git ls-files failed: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    let names = String::from_utf8(output.stdout)?;
    Ok(names.split('\0').filter(|name| !name.is_empty() && root().join(name).is_file()).map(str::to_owned).collect())
}
