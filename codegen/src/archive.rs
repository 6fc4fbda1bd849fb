//! Rust libraries (`.rlib`): archives of objects.

use std::collections::HashSet;
use std::path::Path;

use object::read::archive::ArchiveFile;
use object::{Object, ObjectSection};

fn fault(path: &Path, what: &dyn std::fmt::Display) -> String {
    format!("{}: {what}", path.display())
}

/// Whether the library defines one of `symbols`, as the archive's own table of symbols says.
///
/// # Errors
/// When the file cannot be read, or is no archive.
pub fn defines(path: &Path, symbols: &HashSet<&str>) -> Result<bool, String> {
    let bytes = std::fs::read(path).map_err(|e| fault(path, &e))?;
    let archive = ArchiveFile::parse(&*bytes).map_err(|e| fault(path, &e))?;
    let Some(table) = archive.symbols().map_err(|e| fault(path, &e))? else { return Ok(false) };
    // On macOS the names begin with an underscore more.
    let known = |name: &[u8]| std::str::from_utf8(name).is_ok_and(|n| symbols.contains(n) || symbols.contains(n.get(1..).unwrap_or("")));
    Ok(table.flatten().any(|symbol| known(symbol.name())))
}

/// The bitcode that the library's object carries.
pub(crate) fn bitcode(path: &Path) -> Result<Vec<u8>, String> {
    let bytes = std::fs::read(path).map_err(|e| fault(path, &e))?;
    let archive = ArchiveFile::parse(&*bytes).map_err(|e| fault(path, &e))?;
    for member in archive.members().flatten() {
        let Ok(object) = member.data(&*bytes).map_err(|e| e.to_string()).and_then(|d| object::File::parse(d).map_err(|e| e.to_string()))
        else {
            continue;
        };
        for section in object.sections() {
            if matches!(section.name(), Ok(".llvmbc" | "__bitcode"))
                && let Ok(data) = section.data()
                && !data.is_empty()
            {
                return Ok(data.to_vec());
            }
        }
    }
    Err(fault(path, &"carries no LLVM bitcode"))
}
