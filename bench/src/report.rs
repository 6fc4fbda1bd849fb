//! The table, and the same as JSON.

use std::path::Path;

use serde_json::json;
use threadwise::{Device, MODULES};

use crate::Result;
use crate::measure::Row;
use crate::options::Options;

/// The driver's version as its kernel module gives it.
pub(crate) fn driver_version() -> String {
    let text = std::fs::read_to_string("/proc/driver/nvidia/version").unwrap_or_default();
    let is_version = |word: &&str| word.contains('.') && word.split('.').all(|part| part.parse::<u32>().is_ok());
    text.lines().next().and_then(|line| line.split_whitespace().find(is_version)).unwrap_or("unknown").to_owned()
}

/// The architectures that the Rust kernels were lowered to.
fn archs() -> Vec<&'static str> {
    let module = MODULES.iter().find(|module| module.krate == "threadwise_bench");
    module.map(|module| module.images.iter().map(|image| image.arch).collect()).unwrap_or_default()
}

pub(crate) fn print(rows: &[Row]) {
    println!("threadwise: PTX for {}", archs().join(", "));
    println!();
    println!("| kernel | size | threadwise, ms | CUDA C++, ms | CUDA C++ / threadwise | largest difference | relative |");
    println!("|---|---|---:|---:|---:|---:|---:|");
    for Row { name, size, ours, theirs } in rows {
        match theirs {
            Some(theirs) => println!(
                "| {name} | {size} | {ours:.3} | {:.3} | {:.3} | {:.1e} | {:.1e} |",
                theirs.time,
                theirs.time / ours,
                theirs.difference,
                theirs.relative
            ),
            None => println!("| {name} | {size} | {ours:.3} | - | - | - | - |"),
        }
    }
}

pub(crate) fn write_json(file: &Path, device: &Device, rows: &[Row], options: &Options) -> Result<()> {
    let rows: Vec<_> = rows
        .iter()
        .map(|row| {
            let theirs = row.theirs.as_ref();
            json!({
                "kernel": row.name,
                "size": row.size,
                "threadwise_ms": row.ours,
                "cuda_ms": theirs.map(|t| t.time),
                "cuda_over_threadwise": theirs.map(|t| t.time / row.ours),
                "max_difference": theirs.map(|t| t.difference),
                "max_relative_difference": theirs.map(|t| t.relative),
            })
        })
        .collect();
    let report = json!({
        "gpu": device.name(),
        "driver": driver_version(),
        "ptx": archs(),
        "launches": options.launches,
        "kernels": rows,
    });
    std::fs::write(file, serde_json::to_string_pretty(&report)? + "\n").map_err(|e| format!("{}: {e}", file.display()))?;
    Ok(())
}
