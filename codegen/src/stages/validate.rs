//! What must hold before PTX is written.

use std::collections::HashMap;

use threadwise_abi::{Component, ComponentKind};

use super::collect::Kernel;
use super::graph::Graph;
use super::names::{PROVIDED, SHARED_ACQUIRE, demangle, is_selectable};
use crate::error::{Diagnostic, Fault};
use crate::llvm::{Function, Machine, Module, Opcode, Value};

/// A thread must come to each piece of shared memory once: two handles of it would alias. Checks that, then removes the marks.
pub(crate) fn shared_memory(module: &Module<'_>, kernels: &[Kernel], machine: &Machine) -> Result<(), Vec<Diagnostic>> {
    let Some(acquire) = module.function(SHARED_ACQUIRE) else { return Ok(()) };
    // Handles are made by functions that are always inlined: behind this, each mark is where the `shared!` is.
    module.run("always-inline", machine).map_err(|e| vec![Diagnostic::internal(e)])?;
    let graph = Graph::of(module);
    let marks = acquire.value().calls();
    let mut faults = Vec::new();
    for kernel in kernels {
        let visits = visits(&graph, kernel.function(module).map_err(|e| vec![e])?);
        for mark in &marks {
            let Some(home) = mark.function() else { continue };
            // Every way to the same memory counts: a generic function has one `shared!` for all its instances.
            let memory = mark.value().operands().first().copied();
            let same = marks.iter().filter(|m| m.value().operands().first().copied() == memory).filter_map(|m| m.function());
            let times: u32 = same.map(|f| visits.get(&f).copied().unwrap_or(0)).sum();
            if visits.get(&home).is_some_and(|&here| here > 0) && (times > 1 || mark.is_in_loop()) {
                faults.push(Diagnostic {
                    fault: Fault::User,
                    kernel: kernel.error_place(),
                    message: format!(
                        "kernel `{}` may come to the shared memory in `{}` ({}) more than once per thread; two handles of the same \
                         memory would alias\n  cure: make it once, outside of loops, and pass the handle on",
                        kernel.info.name,
                        demangle(&home.value().name()),
                        mark.place().unwrap_or_else(|| "no line known".to_owned())
                    ),
                });
            }
        }
    }
    for mark in marks {
        if let Some(&memory) = mark.value().operands().first() {
            mark.value().replace_all_uses(memory);
            mark.erase();
        }
    }
    acquire.delete();
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

/// How often each function may be entered per thread: 0, 1, or 2 for "more than once".
fn visits<'c>(graph: &Graph<'c>, entry: Function<'c>) -> HashMap<Function<'c>, u32> {
    let mut visits = HashMap::from([(entry, 1)]);
    // Counts saturate at 2, so that each function is looked at twice at the most, in cycles too.
    let mut open = vec![(entry, 1)];
    while let Some((function, times)) = open.pop() {
        for &(to, call) in graph.references(function) {
            let times = if call.is_in_loop() { 2 } else { times };
            let count = visits.entry(to).or_insert(0);
            if *count < 2 {
                *count = (*count + times).min(2);
                open.push((to, times));
            }
        }
    }
    visits
}

/// Whether the kernel reads an address out of a closure that it was given.
fn captures_pointer(module: &Module<'_>, kernel: &Kernel) -> Result<bool, Diagnostic> {
    let function = kernel.function(module)?;
    let is_function = |(_, component): &(usize, &Component)| component.kind == ComponentKind::Function;
    let closures = kernel.info.components.iter().enumerate().filter(is_function);
    let mut open: Vec<Value<'_>> = closures.filter_map(|(i, _)| function.parameter(i)).collect();
    while let Some(address) = open.pop() {
        for user in address.users() {
            let Some(instruction) = user.as_instruction() else { continue };
            if instruction.is(Opcode::GetElementPtr) {
                open.push(user);
            } else if instruction.is(Opcode::Load) && user.type_of() == module.pointer_type() {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Nothing may be left undefined, and nothing that NVPTX cannot select: LLVM would end the process on it.
pub(crate) fn run(module: &Module<'_>, kernels: &[Kernel]) -> Result<(), Vec<Diagnostic>> {
    module.verify().map_err(|e| vec![Diagnostic::internal(format!("optimization left an invalid module: {e}"))])?;
    let graph = Graph::of(module);
    let mut faults = Vec::new();
    for kernel in kernels {
        if captures_pointer(module, kernel).map_err(|e| vec![e])? {
            faults.push(Diagnostic {
                fault: Fault::User,
                kernel: kernel.error_place(),
                message: format!(
                    "an instance of kernel `{}` is launched with a closure that captures a reference, or with a function pointer; both \
                     point into the host's memory\n  cure: capture values (`move`), and pass buffers as parameters of the kernel",
                    kernel.info.name
                ),
            });
        }
    }
    for function in module.functions() {
        let name = function.value().name();
        if !function.value().is_declaration() || PROVIDED.contains(&name.as_str()) || is_selectable(&name) {
            continue;
        }
        for kernel in kernels {
            let entry = kernel.function(module).map_err(|e| vec![e])?;
            if let Some(chain) = graph.chain(entry, function, &kernel.info.name) {
                faults.push(Diagnostic {
                    fault: Fault::Internal,
                    kernel: kernel.error_place(),
                    message: format!("optimization left `{}` without a body\n{chain}", demangle(&name)),
                });
            }
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}
