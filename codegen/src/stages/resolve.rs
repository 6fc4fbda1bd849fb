//! Gives bodies to what the kernels call: the runtime's math, panics and allocator, and what they need of core and alloc.

use std::collections::HashMap;

use super::collect::internalize;
use super::{names, standard};
use crate::error::Diagnostic;
use super::names::RUNTIME_MARK;
use crate::llvm::{Attribute, Function, Machine, Module, Opcode};
use crate::wire::Request;

static RUNTIME: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/runtime.bc"));
static INTRINSICS: &[u8] = include_bytes!("../../runtime/intrinsics.ll");

/// Rounds between runtime and libraries; what is undefined after them stays so, and is reported.
const ROUNDS: usize = 3;

pub(crate) fn run(module: &Module<'_>, request: &Request, machine: &Machine) -> Result<(), Vec<Diagnostic>> {
    let fail = |e: String| vec![Diagnostic::internal(e)];
    module.resolve_aliases();
    remove_unwinding(module, machine).map_err(fail)?;
    substitute(module, request, machine)?;
    // What the libraries bring in can need more of the runtime, and that more of the libraries.
    for _ in 0..ROUNDS {
        if !standard::is_needed(module) {
            break;
        }
        standard::link(module, request, machine)?;
        module.resolve_aliases();
        remove_unwinding(module, machine).map_err(fail)?;
        substitute(module, request, machine)?;
    }
    Ok(())
}

/// Kernels do not unwind: calls that could become plain calls, and landing pads go.
fn remove_unwinding(module: &Module<'_>, machine: &Machine) -> Result<(), String> {
    // A function left as personality sends the NVPTX printer into endless recursion; a null constant does not.
    if let Some(null) = module.null(module.pointer_type()) {
        for function in module.functions().into_iter().filter(|f| f.has_personality()) {
            function.set_personality(null);
        }
    }
    module.run("function(lower-invoke,simplifycfg),globaldce", machine)
}

/// Puts the runtime's functions in the place of those that kernels cannot call, and links them.
fn substitute(module: &Module<'_>, request: &Request, machine: &Machine) -> Result<(), Vec<Diagnostic>> {
    let fail = |e: String| vec![Diagnostic::internal(e)];
    let full = request.full_messages;
    if !full {
        // Finds out which panics have a fixed message: their arguments become constants.
        module.run("function(sroa,early-cse,instsimplify,simplifycfg)", machine).map_err(fail)?;
    }
    replace_remainders(module);
    let mut expected = HashMap::new();
    for function in module.functions() {
        let name = function.value().name();
        if name.starts_with("__threadwise_") {
            continue;
        }
        let Some(by) = names::replacement(&name, full) else { continue };
        let Some(stand_in) = module.declare(&by, function.signature()) else { continue };
        expected.insert(by.clone(), (function.parameter_count(), name));
        drop_formatting(module, function, &by);
        function.value().replace_all_uses(stand_in.value());
        if function.value().is_declaration() {
            function.delete();
        }
    }
    if !full {
        module.run("function(sroa,adce)", machine).map_err(fail)?;
    }
    link_runtime(module, machine)?;
    for (by, (parameters, name)) in expected {
        if let Some(function) = module.function(&by)
            && function.parameter_count() != parameters
        {
            return Err(vec![Diagnostic::internal(format!(
                "`{}` takes {parameters} parameters in this rustc, its stand-in takes {}",
                names::demangle(&name),
                function.parameter_count()
            ))]);
        }
    }
    module.run("globaldce", machine).map_err(fail)
}

/// `%` on floats: NVPTX would approximate it by a division.
fn replace_remainders(module: &Module<'_>) {
    for function in module.functions() {
        for instruction in function.instructions().into_iter().filter(|i| i.is(Opcode::FRem)) {
            let of = instruction.value().type_of();
            let name = match of.to_string().as_str() {
                "float" => "__threadwise_fmod_f32",
                "double" => "__threadwise_fmod_f64",
                _ => continue,
            };
            if let Some(fmod) = module.declare(name, module.binary_signature(of)) {
                module.replace_by_call(instruction, fmod);
            }
        }
    }
}

/// Where a panic's message is not to be formatted, its arguments are replaced by an address that is there anyway, so that nothing refers
/// to formatting code any more. Fixed messages stay.
fn drop_formatting<'c>(module: &Module<'c>, function: Function<'c>, by: &str) {
    let arguments = names::formatted_arguments(by);
    if arguments.is_empty() {
        return;
    }
    let fixed = by == "__threadwise_panic_fmt_static";
    for call in function.value().calls() {
        let operands = call.value().operands();
        // The callee comes last; before it the location.
        let Some(location) = operands.len().checked_sub(2).and_then(|i| operands.get(i)).copied() else { continue };
        let is_fixed = fixed && operands.get(1).is_some_and(|a| a.is_constant());
        if !is_fixed {
            for i in arguments.clone().filter(|&i| operands.get(i).is_some_and(|o| o.type_of() == module.pointer_type())) {
                call.value().set_operand(i, location);
            }
        }
    }
}

/// Links what is needed of the runtime, and makes it internal.
fn link_runtime(module: &Module<'_>, machine: &Machine) -> Result<(), Vec<Diagnostic>> {
    let fail = |e: String| vec![Diagnostic::internal(e)];
    override_intrinsics(module);
    for (bytes, name) in [(RUNTIME, "the device runtime"), (INTRINSICS, "intrinsics.ll")] {
        let runtime = Module::parse(module.context, bytes, name).map_err(fail)?;
        runtime.retarget(machine);
        let mark = Attribute::text(module.context, RUNTIME_MARK, "");
        runtime.functions().into_iter().filter(|f| !f.value().is_declaration()).for_each(|f| f.add_attribute(mark));
        module.link_needed(runtime, |_| true).map_err(fail)?;
    }
    let kernels: std::collections::HashSet<String> = module
        .functions()
        .into_iter()
        .filter(|f| !f.value().is_declaration() && f.value().is_external())
        .map(|f| f.value().name())
        .collect();
    internalize(module, |name| kernels.contains(name) || name == threadwise_abi::symbols::PANIC_RECORD);
    // On the host the intrinsics must not be inlined, and rustc says so at each call too.
    for function in module.functions().into_iter().filter(|f| f.has_text_attribute(RUNTIME_MARK)) {
        function.value().calls().into_iter().for_each(|call| call.remove_call_attribute("noinline"));
    }
    Ok(())
}

/// When the crate at hand is the device crate itself, its host bodies make way for the runtime's.
fn override_intrinsics(module: &Module<'_>) {
    for function in module.functions() {
        let name = function.value().name();
        if function.value().is_declaration() || function.value().is_external() || !name.starts_with("__threadwise_") {
            continue;
        }
        if function.has_text_attribute(RUNTIME_MARK) {
            continue;
        }
        function.value().set_name(&format!("{name}.host"));
        if let Some(declared) = module.declare(&name, function.signature()) {
            function.value().replace_all_uses(declared.value());
        }
    }
}
