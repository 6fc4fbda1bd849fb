//! Questions to cargo.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::Result;

/// The workspace's folder.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace")
}

/// The cargo that runs us.
pub(crate) fn command() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    // They describe xtask, and build scripts of what we build should not see them.
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")) {
            command.env_remove(name);
        }
    }
    command
}

/// `cargo metadata` of the workspace's own crates.
pub(crate) fn metadata() -> Result<Value> {
    let output = command().args(["metadata", "--format-version=1", "--no-deps"]).stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err("cargo metadata failed".into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Where cargo builds.
pub(crate) fn target_folder(metadata: &Value) -> Result<PathBuf> {
    Ok(metadata["target_directory"].as_str().ok_or("cargo metadata names no target directory")?.into())
}

/// A program that cargo made.
pub(crate) struct Program {
    /// Of its target, such as `decay`.
    pub(crate) name: String,
    /// Such as `bin`, `example`, `test`, `lib`.
    pub(crate) kind: String,
    /// The package's name.
    pub(crate) package: String,
    /// Its root source file.
    pub(crate) source: PathBuf,
    pub(crate) path: PathBuf,
}

/// Builds with these arguments and returns the programs made.
pub(crate) fn programs(arguments: &[&str]) -> Result<Vec<Program>> {
    let output = command().args(arguments).arg("--message-format=json-render-diagnostics").stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("cargo {} failed", arguments.join(" ")).into());
    }
    let mut programs = Vec::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let message: Value = serde_json::from_str(line)?;
        let Some(path) = message["executable"].as_str() else { continue };
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        programs.push(Program {
            name: text(&message["target"]["name"]),
            kind: text(&message["target"]["kind"][0]),
            package: package_name(message["package_id"].as_str().unwrap_or_default(), &message["manifest_path"]),
            source: text(&message["target"]["src_path"]).into(),
            path: path.into(),
        });
    }
    Ok(programs)
}

/// The name in a package id such as `path+file:///x/host#threadwise-host@0.1.0` or `path+file:///x/host#0.1.0`, whose name is the folder's.
fn package_name(id: &str, manifest: &Value) -> String {
    let after = id.rsplit('#').next().unwrap_or_default();
    match after.split_once('@') {
        Some((name, _)) => name.to_owned(),
        None => {
            let folder = manifest.as_str().map(Path::new).and_then(Path::parent).and_then(Path::file_name);
            folder.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
        }
    }
}
