//! Links the parts of core and alloc that are not inline from the bitcode that the sysroot's libraries carry.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::names::demangle;
use crate::archive;
use crate::error::Diagnostic;
use crate::llvm::{Machine, Module};
use crate::wire::Request;

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
    let libraries = libraries(&folder).map_err(|e| fail(format!("cannot read {}: {e}", folder.display())))?;
    // Who needs whom: instances of core's and alloc's generics, which std and its own dependencies have, then alloc, then core.
    let instances = libraries.keys().filter(|name| !["alloc", "core"].contains(&name.as_str()));
    for library in instances.map(String::as_str).chain(["alloc", "core"]) {
        let whole = ["alloc", "core"].contains(&library);
        // A v0 symbol of a generic ends in the crate that holds the instance.
        let suffix = format!("_{}{library}", library.len());
        if !whole && !undefined(module).iter().any(|name| name.ends_with(&suffix)) {
            continue;
        }
        let path = libraries.get(library).ok_or_else(|| fail(format!("no lib{library}-*.rlib in {}", folder.display())))?;
        let bitcode = archive::bitcode(path).map_err(fail)?;
        let part = Module::parse_lazily(module.context, &bitcode, library).map_err(fail)?;
        // The libraries carry more than line directives, from which LLVM would make DWARF sections that ptxas does not take.
        part.strip_debug_info();
        part.retarget(machine);
        part.take_assembly();
        module.link_needed(part, |symbol| whole || is_portable(symbol)).map_err(fail)?;
    }
    Ok(())
}

/// The sysroot's libraries by crate name.
fn libraries(folder: &Path) -> std::io::Result<BTreeMap<String, PathBuf>> {
    let paths = std::fs::read_dir(folder)?.flatten().map(|entry| entry.path());
    let named = paths.filter(|path| path.extension().is_some_and(|extension| extension == "rlib"));
    Ok(named.filter_map(|path| Some((path.file_stem()?.to_str()?.strip_prefix("lib")?.rsplit_once('-')?.0.to_owned(), path))).collect())
}
