//! The folder that a device pass works in, and what is kept of a failed one.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use super::command::CommandLine;

/// A folder of this process alone, removed when the pass is over.
pub(super) struct WorkFolder {
    path: PathBuf,
    failed: PathBuf,
    name: String,
}

/// `threadwise` beside the folder that the compilation writes to, in the target folder of cargo.
pub(super) fn base_folder(command: &CommandLine) -> io::Result<PathBuf> {
    let base = match command.out_dir() {
        Some(out) => std::path::absolute(out)?.parent().map(|p| p.join("threadwise")),
        None => None,
    };
    Ok(base.unwrap_or_else(|| std::env::temp_dir().join("threadwise")))
}

impl WorkFolder {
    /// `NAME-PID` in [`base_folder`].
    pub(super) fn create(command: &CommandLine) -> io::Result<Self> {
        let base = base_folder(command)?;
        let name = format!("{}{}", command.crate_name(), command.extra_filename());
        let path = base.join(format!("{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        Ok(WorkFolder { path, failed: base.join("failed"), name })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// `arguments`, in a file where there are so many that a command line might not hold them.
    pub(super) fn arguments(&self, arguments: Vec<OsString>) -> Vec<OsString> {
        const ROOMY: usize = 16 * 1024;
        if arguments.iter().map(|a| a.len() + 1).sum::<usize>() <= ROOMY {
            return arguments;
        }
        let lines: Option<Vec<&str>> = arguments.iter().map(|a| a.to_str().filter(|a| !a.contains('\n'))).collect();
        let file = self.path.join("arguments");
        match lines.map(|lines| std::fs::write(&file, lines.join("\n"))) {
            Some(Ok(())) => {
                let mut argument = OsString::from("@");
                argument.push(file);
                vec![argument]
            }
            // An argument that a file cannot hold, or no room for the file: the command line is the other way.
            Some(Err(_)) | None => arguments,
        }
    }

    /// Keeps what the compiler of the device pass said.
    pub(super) fn keep_log(&self, stderr: &str) -> PathBuf {
        let log = self.log();
        // A log that cannot be written is no reason to fail a build that fails already.
        let _ = std::fs::create_dir_all(&self.failed).and_then(|()| std::fs::write(&log, stderr));
        log
    }

    /// Keeps `file`; `None` when it cannot be kept.
    pub(super) fn keep(&self, file: &Path) -> Option<PathBuf> {
        let kept = self.failed.join(format!("{}.{}", self.name, file.extension()?.to_str()?));
        std::fs::create_dir_all(&self.failed).ok()?;
        std::fs::rename(file, &kept).ok()?;
        Some(kept)
    }

    /// Removes what an earlier build of this crate left, now that it is fixed.
    pub(super) fn forget_failures(&self) {
        if self.failed.exists() {
            let _ = std::fs::remove_file(self.log());
            let _ = std::fs::remove_file(self.failed.join(format!("{}.bc", self.name)));
            // Fails while others lie there, as it should.
            let _ = std::fs::remove_dir(&self.failed);
        }
    }

    fn log(&self) -> PathBuf {
        self.failed.join(format!("{}.log", self.name))
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}
