//! What code does about the host's processor: it asks for features, and takes instructions of theirs where it finds them. On a GPU there are
//! none, so that portable ways are taken; an instruction that a dependency reaches all the same is a panic that names it.

use std::collections::HashSet;

use super::names::demangle;
use crate::llvm::{Function, Instruction, Module};

/// Assembly that asks the processor what it is.
const QUESTIONS: [&str; 2] = ["cpuid", "xgetbv"];
/// std's answer for all features, and where it keeps it.
const DETECTION: &str = "std_detect::detect::cache::detect_and_initialize";
const CACHE: &str = "std_detect::detect::cache::CACHE";

/// Assembly for what is an operation of LLVM: its beginning, the type, the operation.
const OPERATIONS: [(&str, &str, &str); 2] = [("sqrtsd ", "double", "llvm.sqrt.f64"), ("sqrtss ", "float", "llvm.sqrt.f32")];

pub(crate) fn run(module: &Module<'_>, krate: &str) -> Result<(), String> {
    answer_nothing(module);
    replace_assembly(module);
    panic_at_instructions(module, krate)
}

/// Every question about features is answered by zeros.
fn answer_nothing(module: &Module<'_>) {
    let asks = |i: &Instruction<'_>| i.inline_asm().is_some_and(|text| QUESTIONS.iter().any(|question| text.contains(question)));
    for function in module.functions() {
        if function.value().is_declaration() {
            if demangle(&function.value().name()) == DETECTION {
                function.value().calls().into_iter().for_each(|call| zero(module, call));
            }
            continue;
        }
        function.instructions().into_iter().filter(asks).for_each(|question| zero(module, question));
    }
    for variable in module.globals() {
        if variable.value().is_declaration()
            && demangle(&variable.value().name()) == CACHE
            && let Some(nothing) = module.null(variable.value_type())
        {
            variable.set_initializer(nothing);
        }
    }
}

fn zero<'c>(module: &Module<'c>, instruction: Instruction<'c>) {
    let value = instruction.value();
    if let Some(nothing) = module.null(value.type_of()) {
        value.replace_all_uses(nothing);
        instruction.erase();
    }
}

/// Crates with a function for which the processor has one instruction write that in assembly, the operand being the result too.
fn replace_assembly(module: &Module<'_>) {
    for instruction in module.functions().into_iter().flat_map(Function::instructions) {
        let Some(text) = instruction.inline_asm() else { continue };
        let of = instruction.value().type_of();
        let found = OPERATIONS.iter().find(|(beginning, ty, _)| text.starts_with(beginning) && of.to_string() == *ty);
        let operands = instruction.value().operands();
        if let (Some((_, _, operation)), [operand, _]) = (found, operands.as_slice())
            && operand.type_of() == of
            && let Some(operation) = module.declare(operation, module.signature(&[of], of))
        {
            // The callee is the last operand.
            instruction.value().set_operand(1, operation.value());
        }
    }
}

/// Instructions of x86 that the user's crate does not ask for itself become panics: behind a question about features nothing reaches them.
fn panic_at_instructions(module: &Module<'_>, krate: &str) -> Result<(), String> {
    let mut text = String::new();
    for intrinsic in module.functions() {
        let name = intrinsic.value().name();
        if !name.starts_with("llvm.x86.") || !intrinsic.value().is_declaration() {
            continue;
        }
        let calls = intrinsic.value().calls();
        let Some(first) = calls.first() else { continue };
        if is_asked_for_by(krate, intrinsic) {
            continue;
        }
        let result = first.value().type_of();
        let mut operands = first.value().operands();
        // The callee comes last.
        operands.pop();
        let parameters: Vec<_> = operands.iter().map(|operand| operand.type_of()).collect();
        let stand_in = format!("threadwise_host_instruction.{name}");
        text.push_str(&body(&stand_in, &name, &result.to_string(), &parameters.iter().map(ToString::to_string).collect::<Vec<_>>()));
        let Some(declared) = module.declare(&stand_in, module.signature(&parameters, result)) else { continue };
        for call in calls {
            call.value().set_operand(operands.len(), declared.value());
        }
    }
    if text.is_empty() {
        return Ok(());
    }
    text.push_str("declare void @__threadwise_panic_str(ptr, i64, ptr)\n");
    module.link_needed(Module::parse(module.context, text.as_bytes(), "instructions of the host")?, |_| true)
}

/// Whether a function of that crate calls `intrinsic`, by itself or through core's wrappers of instructions.
fn is_asked_for_by(krate: &str, intrinsic: Function<'_>) -> bool {
    let mut seen = HashSet::from([intrinsic]);
    let mut open = vec![intrinsic];
    while let Some(function) = open.pop() {
        for caller in function.value().calls().into_iter().filter_map(Instruction::function) {
            let path = demangle(&caller.value().name());
            let path = path.trim_start_matches('<');
            if path.strip_prefix(krate).is_some_and(|rest| rest.starts_with("::")) {
                return true;
            }
            if path.starts_with("core::core_arch::") && seen.insert(caller) {
                open.push(caller);
            }
        }
    }
    false
}

/// A function in LLVM's own words that panics.
fn body(stand_in: &str, name: &str, result: &str, parameters: &[String]) -> String {
    let message = format!("`{name}` is an instruction of the host's processor");
    let parameters = parameters.join(", ");
    format!(
        "@\"{stand_in}.text\" = internal constant [{length} x i8] c\"{message}\"\n\
         @\"{stand_in}.file\" = internal constant [{name_length} x i8] c\"{name}\"\n\
         @\"{stand_in}.place\" = internal constant {{ ptr, i64, i32, i32 }} {{ ptr @\"{stand_in}.file\", i64 {name_length}, i32 0, i32 0 }}\n\
         define {result} @\"{stand_in}\"({parameters}) {{\n\
         call void @__threadwise_panic_str(ptr @\"{stand_in}.text\", i64 {length}, ptr @\"{stand_in}.place\")\n\
         unreachable\n}}\n",
        length = message.len(),
        name_length = name.len(),
    )
}
