//! That commands and links of the documentation lead somewhere.

use std::path::Path;

use serde_json::Value;

use super::Faults;
use crate::cargo::root;
use crate::{CHORES, Result};

/// The documents whose commands readers will type.
const WITH_COMMANDS: &[&str] = &["README.md", "CONTRIBUTING.md"];

pub(super) fn check(files: &[String], metadata: &Value, faults: &mut Faults) -> Result<()> {
    for file in files.iter().filter(|file| file.ends_with(".md")) {
        let text = std::fs::read_to_string(root().join(file))?;
        links(file, &text, faults);
        if WITH_COMMANDS.contains(&file.as_str()) {
            for (number, command) in commands(&text) {
                if let Err(fault) = exists(&command, metadata) {
                    faults.add(format!("{file}:{number}: `{command}`: {fault}"));
                }
            }
        }
    }
    Ok(())
}

/// The lines of `console` and `sh` blocks, without prompt and comment.
fn commands(text: &str) -> Vec<(usize, String)> {
    let mut commands = Vec::new();
    let mut inside = false;
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            inside = matches!(language, "console" | "sh");
        } else if inside {
            let line = line.split(" # ").next().unwrap_or_default();
            let command = line.trim().trim_start_matches("$ ").trim();
            if !command.is_empty() {
                commands.push((number, command.to_owned()));
            }
        }
    }
    commands
}

/// Whether what a command names is there.
fn exists(command: &str, metadata: &Value) -> Result<(), String> {
    let mut words = command.split_whitespace().skip_while(|word| word.contains('=')).peekable();
    match words.next() {
        Some("cargo") => {}
        Some(program) if program.contains('/') => {
            return if root().join(program).is_file() { Ok(()) } else { Err("there is no such file".into()) };
        }
        Some(_) | None => return Ok(()),
    }
    if words.next_if_eq(&"xtask").is_some() {
        let chore = words.next().unwrap_or_default();
        return if CHORES.iter().any(|(name, ..)| *name == chore) { Ok(()) } else { Err("there is no such chore".into()) };
    }
    while let Some(word) = words.next_if(|word| *word != "--") {
        let kind = match word {
            "--example" => "example",
            "--test" => "test",
            "--bench" => "bench",
            "--bin" => "bin",
            "-p" | "--package" => "package",
            _ => continue,
        };
        let name = words.next().unwrap_or_default();
        if !known(kind, name, metadata) {
            return Err(format!("there is no {kind} `{name}`"));
        }
    }
    Ok(())
}

fn known(kind: &str, name: &str, metadata: &Value) -> bool {
    metadata["packages"].as_array().into_iter().flatten().any(|package| {
        let mut targets = package["targets"].as_array().into_iter().flatten();
        match kind {
            "package" => package["name"] == name,
            _ => targets.any(|target| target["name"] == name && target["kind"][0] == kind),
        }
    })
}

/// Links to files, relative to the document.
fn links(file: &str, text: &str, faults: &mut Faults) {
    let folder = Path::new(file).parent().unwrap_or(Path::new(""));
    for (number, line) in (1..).zip(text.lines()) {
        for (at, _) in line.match_indices("](") {
            let target = line[at + 2..].split([')', '#', ' ']).next().unwrap_or_default();
            if !target.is_empty() && !target.contains("://") && !root().join(folder).join(target).exists() {
                faults.add(format!("{file}:{number}: the link to `{target}` leads nowhere"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_lose_prompt_and_comment() {
        let text = "```console\n$ cargo test    # all\n```\n```rust\nlet x = 1;\n```\n```sh\nA=1 .ci/run\n```\n";
        assert_eq!(commands(text), [(2, "cargo test".to_owned()), (8, "A=1 .ci/run".to_owned())]);
    }

    #[test]
    fn missing_targets_are_named() {
        let metadata = serde_json::json!({"packages": [{"name": "p", "targets": [{"name": "e", "kind": ["example"]}]}]});
        assert_eq!(exists("X=1 cargo run --release --example e 64", &metadata), Ok(()));
        assert_eq!(exists("cargo test -p p -- --test x", &metadata), Ok(()));
        assert!(exists("cargo run --example f", &metadata).is_err());
        assert!(exists("cargo xtask nothing", &metadata).is_err());
        assert!(exists("no/such/file", &metadata).is_err());
    }
}
