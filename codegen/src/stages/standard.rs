//! Links the parts of core and alloc that are not inline from the bitcode that the sysroot's libraries carry.

use std::path::{Path, PathBuf};

use object::read::archive::ArchiveFile;
use object::{Object, ObjectSection};

use super::names::{PROVIDED, demangle};
use crate::error::Diagnostic;
use crate::llvm::{Machine, Module};
use crate::wire::Request;

const LIBRARIES: [&str; 2] = ["alloc", "core"];

/// Whether something of these libraries is undefined.
pub(crate) fn is_needed(module: &Module<'_>) -> bool {
    module.functions().into_iter().map(crate::llvm::Function::value).any(|f| {
        let name = f.name();
        f.is_declaration()
            && !name.starts_with("llvm.")
            && !name.starts_with("__threadwise_")
            && !PROVIDED.contains(&name.as_str())
            && name.starts_with("_")
            && LIBRARIES.iter().any(|library| demangle(&name).contains(&format!("{library}::")))
    })
}

/// Links what is needed of alloc, then what that and the kernels need of core.
pub(crate) fn link(module: &Module<'_>, request: &Request) -> Result<(), Vec<Diagnostic>> {
    let folder = request.sysroot.join("lib/rustlib").join(&request.host).join("lib");
    for library in LIBRARIES {
        let fail = |e: String| vec![Diagnostic::tool(e)];
        let path = find(&folder, library).map_err(fail)?;
        let bitcode = read_bitcode(&path).map_err(fail)?;
        let part = Module::parse_lazily(module.context, &bitcode, library).map_err(fail)?;
        let machine = Machine::new("sm_75", "").map_err(fail)?;
        part.retarget(&machine);
        part.take_assembly();
        module.link_needed(part).map_err(fail)?;
    }
    Ok(())
}

fn find(folder: &Path, library: &str) -> Result<PathBuf, String> {
    let prefix = format!("lib{library}-");
    let entries = std::fs::read_dir(folder).map_err(|e| format!("cannot read {}: {e}", folder.display()))?;
    entries
        .flatten()
        .map(|e| e.path())
        .find(|p| {
            let name = p.file_name().and_then(|n| n.to_str()).unwrap_or("");
            name.starts_with(&prefix) && name.ends_with(".rlib")
        })
        .ok_or_else(|| format!("no {prefix}*.rlib in {}", folder.display()))
}

/// The bitcode section of the library's object.
fn read_bitcode(path: &Path) -> Result<Vec<u8>, String> {
    let fault = |what: &dyn std::fmt::Display| format!("{}: {what}", path.display());
    let bytes = std::fs::read(path).map_err(|e| fault(&e))?;
    let archive = ArchiveFile::parse(&*bytes).map_err(|e| fault(&e))?;
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
    Err(fault(&"carries no LLVM bitcode"))
}
