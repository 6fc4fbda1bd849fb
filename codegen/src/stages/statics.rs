//! `#[device] static`s: the crate's own stay variables that the host finds by name, those of other crates become addresses that the host
//! fills in. Immutable statics go to constant memory.

use threadwise_abi::symbols::{IMPORT_PREFIX, STATIC_PREFIX};

use crate::error::{Diagnostic, Fault};
use crate::llvm::{Global, Machine, Module};
use crate::wire::StaticInfo;

/// Constant memory is address space 4 of NVPTX.
const CONSTANT: u32 = 4;
/// Bytes of constant memory of a module, on every GPU (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability").
const CONSTANT_BYTES: usize = 64 * 1024;
/// Section of the statics that may go to constant memory, from `collect` on.
const CONSTANT_SECTION: &str = ".threadwise.constant";

/// The launch's dynamic shared memory, which has no value in any module.
const DYNAMIC_SHARED: &str = "__threadwise_dynamic";

/// Whether the host knows the symbol by name.
pub(crate) fn is_static(symbol: &str) -> bool {
    symbol.starts_with(STATIC_PREFIX)
}

/// Marks the crate's immutable statics. Constants without a name, such as texts and tables of methods, are read as one lane each at the
/// best, and stay in global memory.
pub(crate) fn mark_immutable(module: &Module<'_>) {
    for global in module.globals() {
        let is_plain = global.initializer().is_some() && global.section().is_empty() && !global.value().name().starts_with("llvm.");
        if is_plain && global.is_immutable() && global.is_named() {
            global.set_section(CONSTANT_SECTION);
        }
    }
}

/// Which statics the module has, once those of other crates are reached by address.
pub(crate) fn run(module: &Module<'_>, machine: &Machine) -> Result<Vec<StaticInfo>, Vec<Diagnostic>> {
    let fail = |e: String| vec![Diagnostic::internal(e)];
    let mut statics = Vec::new();
    for global in module.globals() {
        let symbol = global.value().name();
        if is_static(&symbol) {
            let imported = global.value().is_declaration();
            if imported {
                import(module, global, &symbol).ok_or_else(|| fail(format!("no variable for the address of {symbol}")))?;
            }
            statics.push(StaticInfo { symbol, imported });
        }
    }
    if statics.iter().any(|s| s.imported) {
        // Expressions that nothing uses any more still count as uses; this drops them, and the declarations with them.
        module.run("globaldce", machine).map_err(fail)?;
    }
    undefined(module)?;
    constant_memory(module);
    Ok(statics)
}

fn import<'c>(module: &Module<'c>, global: Global<'c>, symbol: &str) -> Option<()> {
    let holder = module.add_global(&symbol.replacen(STATIC_PREFIX, IMPORT_PREFIX, 1), module.pointer_type(), 0)?;
    // Not known here: the host sets it.
    holder.set_initializer(module.null(module.pointer_type())?);
    module.load_address(global, holder);
    Some(())
}

/// Variables without a value: those of C, or of crates whose statics are not for devices.
fn undefined(module: &Module<'_>) -> Result<(), Vec<Diagnostic>> {
    let faults: Vec<Diagnostic> = module
        .globals()
        .into_iter()
        .filter(|global| global.value().is_declaration())
        .filter(|global| !global.value().name().starts_with("llvm.") && global.value().name() != DYNAMIC_SHARED)
        .map(|global| {
            let name = global.value().name();
            let message = if is_static(&name) {
                format!(
                    "the address of the static `{}` of another crate is part of a constant, which is made before the device is known\n  \
                     cure: take the address in a function",
                    readable(&name)
                )
            } else {
                format!(
                    "kernels use the static `{}`, whose value is in another crate and not available here\n  cure: mark it \
                     `#[threadwise::device]` there, which makes it one variable for the kernels of all crates",
                    super::names::demangle(&name)
                )
            };
            Diagnostic { fault: Fault::User, kernel: None, message }
        })
        .collect();
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

/// The name of a `#[device] static` as its author knows it.
fn readable(symbol: &str) -> &str {
    symbol.strip_prefix(STATIC_PREFIX).and_then(|rest| rest.split_once('_')).map_or(symbol, |(_, name)| name)
}

/// Moves marked statics to constant memory, the smallest first, as long as they fit. Those that hold addresses or whose address others
/// hold stay: PTX cannot write such constants in one space and refer to them from another.
fn constant_memory(module: &Module<'_>) {
    let mut marked: Vec<(usize, Global<'_>)> = module
        .globals()
        .into_iter()
        .filter(|global| global.section() == CONSTANT_SECTION)
        .inspect(|global| global.clear_section())
        .filter_map(|global| {
            let data = module.data(global)?;
            (data.len() > 0 && !data.has_addresses() && global.value().is_used_by_code_only()).then_some((data.len(), global))
        })
        .collect();
    marked.sort_by_key(|(bytes, global)| (*bytes, global.value().name()));
    let mut free = CONSTANT_BYTES;
    for (bytes, global) in marked {
        let bytes = bytes.next_multiple_of(global.alignment().max(16) as usize);
        if bytes <= free && module.change_space(global, CONSTANT).is_some() {
            free -= bytes;
        }
    }
}
