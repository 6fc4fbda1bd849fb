//! Links functions and variables whose bodies are in the user's dependencies, from bitcode that was made of them on demand.

use std::collections::HashSet;

use super::names::demangle;
use crate::error::Diagnostic;
use crate::llvm::{Machine, Module};
use crate::wire::{Libraries, Request};

/// What is undefined and may have its body in a dependency: Rust's own functions and variables, but for those of std.
pub(crate) fn wanted(module: &Module<'_>) -> Vec<String> {
    let undefined = module.symbols().into_iter().filter(|s| s.is_declaration()).map(|s| s.name());
    undefined.filter(|name| is_of_rust(name) && !is_of_std(&demangle(name))).collect()
}

fn is_of_rust(symbol: &str) -> bool {
    symbol.starts_with("_ZN") || symbol.starts_with("_R")
}

/// Whether a path is std's own, which no dependency has.
pub(crate) fn is_of_std(path: &str) -> bool {
    path.starts_with("std::") || path.contains("<std::") || path.starts_with("__rustc::") || path.starts_with("std_detect::")
}

/// Links what is needed of the dependencies, and says whether there was anything.
pub(crate) fn link(module: &Module<'_>, request: &Request, machine: &Machine) -> Result<bool, Vec<Diagnostic>> {
    let Libraries::Bitcode(paths) = &request.libraries else { return Ok(false) };
    let fail = |e: String| vec![Diagnostic::tool(e)];
    let mut needed: HashSet<String> = wanted(module).into_iter().collect();
    let mut linked = false;
    for path in paths {
        if needed.is_empty() {
            break;
        }
        let bytes = std::fs::read(path).map_err(|e| fail(format!("{}: {e}", path.display())))?;
        let part = Module::parse_lazily(module.context, &bytes, &path.display().to_string()).map_err(fail)?;
        if !part.symbols().into_iter().any(|s| !s.is_declaration() && needed.contains(&s.name())) {
            continue;
        }
        part.retarget(machine);
        part.take_assembly();
        module.link_needed(part, is_of_rust).map_err(fail)?;
        linked = true;
        needed = wanted(module).into_iter().collect();
    }
    Ok(linked)
}
