//! The command line.

use std::path::PathBuf;

use crate::Result;

const USAGE: &str = "usage: threadwise-bench [--check] [--only NAME] [--launches N] [--cubins DIR] [--json FILE]";

/// What the command line asks for.
pub(crate) struct Options {
    /// Compare small problems with the host instead of measuring large ones.
    pub(crate) check: bool,
    /// The only kernel to run.
    pub(crate) only: Option<String>,
    /// Timed launches of each kernel and side.
    pub(crate) launches: usize,
    /// Where the CUDA C++ kernels lie, compiled.
    pub(crate) cubins: PathBuf,
    /// Where to write the results.
    pub(crate) json: Option<PathBuf>,
}

impl Options {
    pub(crate) fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self> {
        let mut options = Options { check: false, only: None, launches: 50, cubins: "bench/cuda".into(), json: None };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value\n{USAGE}"));
            match argument.as_str() {
                "--check" => options.check = true,
                "--only" => options.only = Some(value()?),
                "--launches" => options.launches = value()?.parse()?,
                "--cubins" => options.cubins = value()?.into(),
                "--json" => options.json = Some(value()?.into()),
                _ => return Err(format!("unknown argument {argument}\n{USAGE}").into()),
            }
        }
        if options.launches == 0 {
            return Err("--launches must be at least 1".into());
        }
        Ok(options)
    }

    /// Whether the kernel of that name is to run.
    pub(crate) fn wants(&self, name: &str) -> bool {
        self.only.as_deref().is_none_or(|only| only == name)
    }
}
