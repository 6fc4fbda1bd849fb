//! Layers and lints.

use serde_json::Value;

use super::Faults;
use crate::Result;
use crate::cargo::root;

/// Each crate and those of the workspace that it may use. All of them lie above it in this list, so that dependencies point one way.
const LAYERS: &[(&str, &[&str])] = &[
    ("threadwise-abi", &[]),
    ("threadwise-ptx", &[]),
    ("threadwise-codegen", &["threadwise-abi"]),
    ("threadwise-macros", &["threadwise-abi", "threadwise-codegen"]),
    ("threadwise-device", &["threadwise-abi", "threadwise-macros"]),
    ("threadwise-sim", &["threadwise-abi", "threadwise-ptx"]),
    ("threadwise-host", &["threadwise-abi", "threadwise-sim", "threadwise-device"]),
    ("threadwise-testing", &["threadwise-abi", "threadwise-device", "threadwise-host"]),
    ("threadwise-array", &["threadwise-abi", "threadwise-device", "threadwise-host"]),
    (
        "threadwise",
        &["threadwise-abi", "threadwise-macros", "threadwise-device", "threadwise-host", "threadwise-testing", "threadwise-array"],
    ),
    ("cargo-threadwise", &["threadwise-abi", "threadwise-codegen", "threadwise-ptx", "threadwise-sim", "threadwise-host"]),
    ("threadwise-bench", &["threadwise"]),
    ("threadwise-xtask", &["threadwise-abi"]),
];

/// Crates without a line of `unsafe`.
const WITHOUT_UNSAFE: &[&str] = &["threadwise-ptx", "threadwise-xtask"];

/// Lints that the workspace must deny.
const DENIED: &[(&str, &str)] = &[
    ("rust", "unsafe_op_in_unsafe_fn"),
    ("clippy", "undocumented_unsafe_blocks"),
    ("clippy", "multiple_unsafe_ops_per_block"),
    ("clippy", "todo"),
    ("clippy", "unimplemented"),
];

pub(super) fn check(metadata: &Value, faults: &mut Faults) -> Result<()> {
    table(faults);
    for package in metadata["packages"].as_array().ok_or("cargo metadata names no packages")? {
        let name = package["name"].as_str().unwrap_or_default();
        let manifest = package["manifest_path"].as_str().unwrap_or_default();
        let shown = manifest.strip_prefix(&*root().to_string_lossy()).unwrap_or(manifest).trim_start_matches('/');
        layers(name, shown, package, faults);

        let text = std::fs::read_to_string(manifest)?;
        let inherits =
            text.lines().skip_while(|line| line.trim() != "[lints]").nth(1).is_some_and(|line| line.trim() == "workspace = true");
        if !inherits {
            faults.add(format!("{shown}: `[lints]` with `workspace = true` is missing"));
        }
        if WITHOUT_UNSAFE.contains(&name) {
            forbids_unsafe(package, faults)?;
        }
    }
    denied_lints(faults)
}

fn table(faults: &mut Faults) {
    for (i, (name, uses)) in LAYERS.iter().enumerate() {
        for used in *uses {
            if !LAYERS[..i].iter().any(|(above, _)| above == used) {
                faults.add(format!("xtask/src/tidy/crates.rs: `{name}` may use `{used}`, which does not lie above it"));
            }
        }
    }
}

fn layers(name: &str, manifest: &str, package: &Value, faults: &mut Faults) {
    let Some((_, allowed)) = LAYERS.iter().find(|(known, _)| *known == name) else {
        faults.add(format!("{manifest}: `{name}` has no place in the layers of xtask/src/tidy/crates.rs"));
        return;
    };
    for dependency in package["dependencies"].as_array().into_iter().flatten() {
        let used = dependency["name"].as_str().unwrap_or_default();
        let ours = dependency["path"].is_string();
        // Tests may use what the crate itself may not, but not what is built from it.
        let is_test = dependency["kind"] == "dev";
        let below = LAYERS.iter().position(|(known, _)| *known == used) < LAYERS.iter().position(|(known, _)| *known == name);
        if ours && !allowed.contains(&used) && !(is_test && below) {
            faults.add(format!("{manifest}: `{name}` must not use `{used}`; it may use {}", list(allowed)));
        }
    }
}

fn list(names: &[&str]) -> String {
    if names.is_empty() { "no crate of the workspace".into() } else { names.join(", ") }
}

fn forbids_unsafe(package: &Value, faults: &mut Faults) -> Result<()> {
    for target in package["targets"].as_array().into_iter().flatten() {
        let kind = target["kind"][0].as_str().unwrap_or_default();
        let source = target["src_path"].as_str().unwrap_or_default();
        if matches!(kind, "lib" | "bin") && !std::fs::read_to_string(source)?.contains("#![forbid(unsafe_code)]") {
            let shown = source.strip_prefix(&*root().to_string_lossy()).unwrap_or(source).trim_start_matches('/');
            faults.add(format!("{shown}: `#![forbid(unsafe_code)]` is missing"));
        }
    }
    Ok(())
}

fn denied_lints(faults: &mut Faults) -> Result<()> {
    let text = std::fs::read_to_string(root().join("Cargo.toml"))?;
    for (tool, lint) in DENIED {
        let mut section = text.lines().skip_while(|line| line.trim() != format!("[workspace.lints.{tool}]")).skip(1);
        let denied = format!("{lint} = \"deny\"");
        if !section.by_ref().take_while(|line| !line.starts_with('[')).any(|line| line.trim() == denied) {
            faults.add(format!("Cargo.toml: `{denied}` is missing in [workspace.lints.{tool}]"));
        }
    }
    Ok(())
}
