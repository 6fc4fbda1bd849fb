//! Links the parts of core and alloc that are not inline from the bitcode that the sysroot's libraries carry.

use std::path::{Path, PathBuf};

use super::names::demangle;
use crate::archive;
use crate::error::Diagnostic;
use crate::llvm::{Machine, Module};
use crate::wire::Request;

/// The libraries in the order of who needs whom. Of std only instances of core's and alloc's generics are taken, which rustc shares.
const LIBRARIES: [&str; 3] = ["std", "alloc", "core"];

/// Whether `symbol` is a function of core or alloc, or an instance of one.
fn is_portable(symbol: &str) -> bool {
    let path = demangle(symbol);
    !path.contains("std::") && (path.contains("core::") || path.contains("alloc::"))
}

/// Functions of core and alloc that have no body here.
fn undefined(module: &Module<'_>) -> Vec<String> {
    module
        .functions()
        .into_iter()
        .filter(|f| f.value().is_declaration())
        .map(|f| f.value().name())
        .filter(|name| name.starts_with('_') && !name.starts_with("__threadwise_") && is_portable(name))
        .collect()
}

/// Whether something of core or alloc is undefined.
pub(crate) fn is_needed(module: &Module<'_>) -> bool {
    !undefined(module).is_empty()
}

/// Links what the kernels need of core and alloc.
pub(crate) fn link(module: &Module<'_>, request: &Request, machine: &Machine) -> Result<(), Vec<Diagnostic>> {
    let fail = |e: String| vec![Diagnostic::tool(e)];
    let folder = request.sysroot.join("lib/rustlib").join(&request.host).join("lib");
    for library in LIBRARIES {
        // A v0 symbol of a generic ends in the crate that holds the instance.
        if library == "std" && !undefined(module).iter().any(|name| name.ends_with("_3std")) {
            continue;
        }
        let path = find(&folder, library).map_err(fail)?;
        let bitcode = archive::bitcode(&path).map_err(fail)?;
        let part = Module::parse_lazily(module.context, &bitcode, library).map_err(fail)?;
        // The libraries carry more than line directives, from which LLVM would make DWARF sections that ptxas does not take.
        part.strip_debug_info();
        part.retarget(machine);
        part.take_assembly();
        module.link_needed(part, |symbol| library != "std" || is_portable(symbol)).map_err(fail)?;
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
