//! Gives bodies to what the kernels call: the runtime's math, panics and allocator, and what they need of core and alloc.

use std::collections::HashMap;

use super::collect::internalize;
use super::names::{PANIC_DETAILS, RUNTIME_MARK};
use super::{dependencies, host_cpu, names, standard, statics};
use crate::error::Diagnostic;
use crate::llvm::{Attribute, Function, Machine, Module};
use crate::wire::Request;

static RUNTIME: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/runtime.bc"));
static INTRINSICS: &[u8] = include_bytes!("../../runtime/intrinsics.ll");

/// Rounds between runtime and libraries; what is undefined after them stays so, and is reported.
const ROUNDS: usize = 8;

pub(crate) fn run(module: &Module<'_>, request: &Request, machine: &Machine) -> Result<(), Vec<Diagnostic>> {
    let fail = |e: String| vec![Diagnostic::internal(e)];
    let stand_ins = stand_ins(module)?;
    module.resolve_aliases();
    remove_unwinding(module, machine).map_err(fail)?;
    substitute(module, request, machine, &stand_ins)?;
    // What the libraries bring in can need more of the runtime, and that more of the libraries.
    for _ in 0..ROUNDS {
        let mut linked = dependencies::link(module, request, machine)?;
        if standard::is_needed(module) {
            standard::link(module, request, machine)?;
            linked = true;
        }
        if !linked {
            break;
        }
        module.resolve_aliases();
        remove_unwinding(module, machine).map_err(fail)?;
        substitute(module, request, machine, &stand_ins)?;
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
fn substitute(
    module: &Module<'_>,
    request: &Request,
    machine: &Machine,
    stand_ins: &HashMap<String, usize>,
) -> Result<(), Vec<Diagnostic>> {
    let fail = |e: String| vec![Diagnostic::internal(e)];
    let full = request.full_messages;
    if !full {
        // Finds out which panics have a fixed message: their arguments become constants.
        module.run("function(sroa,early-cse,instsimplify,simplifycfg)", machine).map_err(fail)?;
    }
    replace_operations(module);
    host_cpu::run(module, &request.krate).map_err(fail)?;
    for function in module.functions() {
        let name = function.value().name();
        if name.starts_with("__threadwise_") && name != names::EXPECT_FAILED {
            continue;
        }
        let Some(by) = names::replacement(&name, full) else { continue };
        // What has another signature in this rustc keeps its own body, which ends in a panic of ours all the same.
        if stand_ins.get(&by).is_some_and(|&parameters| parameters != function.parameter_count()) {
            continue;
        }
        let Some(stand_in) = module.declare(&by, function.signature()) else { continue };
        drop_formatting(module, function, &by);
        function.value().replace_all_uses(stand_in.value());
        if function.value().is_declaration() {
            function.delete();
        }
    }
    if !full {
        module.run("function(sroa,adce)", machine).map_err(fail)?;
    }
    link_runtime(module, request, machine)?;
    module.run("globaldce", machine).map_err(fail)
}

/// The runtime's functions and how many parameters each takes.
fn stand_ins(module: &Module<'_>) -> Result<HashMap<String, usize>, Vec<Diagnostic>> {
    let runtime = Module::parse_lazily(module.context, RUNTIME, "the device runtime").map_err(|e| vec![Diagnostic::internal(e)])?;
    let defined = runtime.functions().into_iter().filter(|f| !f.value().is_declaration());
    Ok(defined.map(|f| (f.value().name(), f.parameter_count())).collect())
}

/// Operations that are calls on other targets, where NVPTX knows nothing to call, or would only approximate.
fn replace_operations(module: &Module<'_>) {
    for function in module.functions() {
        for instruction in function.instructions() {
            let Some(opcode) = instruction.opcode() else { continue };
            let operands = instruction.value().operands();
            let Some(from) = operands.first().map(|o| o.type_of().to_string()) else { continue };
            let to = instruction.value().type_of();
            let Some(by) = names::operation(opcode, &from, &to.to_string()) else { continue };
            let parameters: Vec<_> = operands.iter().map(|o| o.type_of()).collect();
            if let Some(by) = module.declare(&by, module.signature(&parameters, to)) {
                module.replace_by_call(instruction, by);
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
fn link_runtime(module: &Module<'_>, request: &Request, machine: &Machine) -> Result<(), Vec<Diagnostic>> {
    let fail = |e: String| vec![Diagnostic::internal(e)];
    override_intrinsics(module);
    let parts = [
        Module::parse_lazily(module.context, RUNTIME, "the device runtime").map_err(fail)?,
        Module::parse(module.context, INTRINSICS, "intrinsics.ll").map_err(fail)?,
    ];
    for runtime in parts {
        runtime.retarget(machine);
        let mark = Attribute::text(module.context, RUNTIME_MARK, "");
        runtime.functions().into_iter().filter(|f| !f.value().is_declaration()).for_each(|f| f.add_attribute(mark));
        module.link_needed(runtime, |_| true).map_err(fail)?;
    }
    settle_details(module, request.panic_details);
    let kernels: std::collections::HashSet<String> = module
        .functions()
        .into_iter()
        .filter(|f| !f.value().is_declaration() && f.value().is_external())
        .map(|f| f.value().name())
        .collect();
    internalize(module, |name| kernels.contains(name) || statics::is_static(name) || name == threadwise_abi::symbols::PANIC_RECORD);
    // On the host the intrinsics must not be inlined, and rustc says so at each call too.
    for function in module.functions().into_iter().filter(|f| f.has_text_attribute(RUNTIME_MARK)) {
        function.value().calls().into_iter().for_each(|call| call.remove_call_attribute("noinline"));
    }
    Ok(())
}

/// Answers the runtime's question whether panics can be kept in detail.
fn settle_details(module: &Module<'_>, panic_details: bool) {
    let Some(question) = module.function(PANIC_DETAILS) else { return };
    for call in question.value().calls() {
        if let Some(answer) = module.u32(u32::from(panic_details)) {
            call.value().replace_all_uses(answer);
            call.erase();
        }
    }
    question.delete();
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
