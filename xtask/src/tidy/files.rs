//! What no file may hold.

use super::Faults;
use crate::Result;
use crate::cargo::root;

/// Beyond this, a file is split along its meaning.
const MOST_LINES: usize = 800;

/// Files that people write, by the ends of their names.
const SOURCES: &[&str] = &[".rs", ".ll", ".cu", ".sh", ".py", ".md", ".toml"];

/// Macros that stand for something unfinished.
const LEFTOVERS: &[&str] = &[concat!("todo", "!("), concat!("dbg", "!("), concat!("unimplemented", "!(")];

/// Folders of one machine or person.
const MACHINES: &[&str] = &[concat!("/ro", "ot"), concat!("/wo", "rk"), concat!("/ho", "me"), concat!("/Us", "ers")];

pub(super) fn check(files: &[String], faults: &mut Faults) -> Result<()> {
    for file in files {
        // Pictures and the like.
        let Ok(text) = String::from_utf8(std::fs::read(root().join(file))?) else { continue };
        let lines = text.lines().count();
        if lines > MOST_LINES && SOURCES.iter().any(|end| file.ends_with(end)) {
            faults.add(format!("{file}: {lines} lines; {MOST_LINES} is the most"));
        }
        for (number, line) in (1..).zip(text.lines()) {
            if file.ends_with(".rs")
                && let Some(leftover) = LEFTOVERS.iter().find(|leftover| line.contains(**leftover))
            {
                faults.add(format!("{file}:{number}: `{}` is left over", leftover.trim_end_matches('(')));
            }
            if let Some(folder) = MACHINES.iter().find(|folder| names_folder(line, folder)) {
                faults.add(format!("{file}:{number}: `{folder}` exists on some machine only"));
            }
        }
    }
    Ok(())
}

/// Whether `line` has the absolute path `folder`, or one in it. A part of another path, as in `../src/NAME`, is none.
fn names_folder(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + folder.len()..].chars().next();
        let in_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '~' | '}' | ')' | '*' | '$');
        let in_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        !before.is_some_and(in_path) && !after.is_some_and(in_name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absolute_paths_are_found_and_others_are_not() {
        let folder = MACHINES[1];
        for found in [format!("cd {folder}/x"), format!("\"{folder}\""), format!("PATH={folder}")] {
            assert!(names_folder(&found, folder), "{found}");
        }
        for other in [format!("src/pass{folder}.rs"), format!("..{folder}/x"), format!("{folder}er"), format!("$x{folder}/y")] {
            assert!(!names_folder(&other, folder), "{other}");
        }
    }
}
