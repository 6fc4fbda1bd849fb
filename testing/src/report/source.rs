//! A line of the source, as rustc shows one.

use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Writes the place and, where the source can be read, its line with a mark. Returns the gutter of the lines below.
pub(super) fn write(text: &mut String, file: &str, line: u32, column: u32) -> String {
    let number = line.to_string();
    let gutter = " ".repeat(number.len());
    let _ = writeln!(text, "{gutter}--> {file}:{line}:{column}");
    if let Some(code) = line_of(file, line) {
        let code = code.replace('\t', " ");
        let before = (column as usize).saturating_sub(1).min(code.chars().count());
        let marked = expression(&code.chars().skip(before).collect::<String>());
        let _ = writeln!(text, "{gutter} |\n{number} | {}\n{gutter} | {}{}", code.trim_end(), " ".repeat(before), "^".repeat(marked));
    }
    let _ = writeln!(text, "{gutter} |");
    gutter
}

/// How many characters the expression has that `code` begins with, as far as it is on this line.
fn expression(code: &str) -> usize {
    let mut depth = 0;
    let mut len = 0;
    for c in code.trim_end().chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => break,
            ')' | ']' | '}' => depth -= 1,
            ',' | ';' if depth == 0 => break,
            _ => {}
        }
        len += 1;
    }
    len.max(1)
}

/// The line of the source, if the file is here.
fn line_of(file: &str, line: u32) -> Option<String> {
    let text = std::fs::read_to_string(find(file)?).ok()?;
    text.lines().nth((line as usize).checked_sub(1)?).map(str::to_owned)
}

/// The compiler names files from where it ran, the root of the workspace; tests run in the folder of their package.
fn find(file: &str) -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    here.ancestors().map(|folder: &Path| folder.join(file)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::expression;

    #[test]
    fn mark_ends_with_the_expression() {
        assert_eq!(expression("x[i], y);"), 4);
        assert_eq!(expression("assert_eq!(a[0], (b, c));"), 24);
        assert_eq!(expression("x[i])"), 4);
        assert_eq!(expression(""), 1);
    }
}
