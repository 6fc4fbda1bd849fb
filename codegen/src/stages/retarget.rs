//! Turns code of the host's target into code of NVPTX: entries, address spaces, attributes.

use threadwise_abi::{ComponentKind, symbols};

use super::collect::Kernel;
use crate::error::Diagnostic;
use crate::llvm::{Attribute, Linkage, Module};

/// What the host's target left on functions, and means nothing here.
const HOST_ATTRIBUTES: [&str; 5] = ["target-cpu", "target-features", "tune-cpu", "probe-stack", "frame-pointer"];
/// Shared memory is address space 3 of NVPTX.
const SHARED: u32 = 3;

pub(crate) fn run(module: &Module<'_>, kernels: &[Kernel]) -> Result<(), Vec<Diagnostic>> {
    move_shared_memory(module);
    attributes(module);
    for kernel in kernels {
        entry(module, kernel).map_err(|e| vec![e])?;
    }
    module.verify().map_err(|e| vec![Diagnostic::internal(format!("lowering made an invalid module: {e}"))])
}

/// Statics of the shared section become variables in shared memory; a constant cast keeps their uses valid, and LLVM's inference of
/// address spaces does the rest.
fn move_shared_memory(module: &Module<'_>) {
    for global in module.globals() {
        let section = global.section();
        if section != symbols::SHARED_SECTION && section != "__DATA,__tw_shared" {
            if !section.is_empty() {
                global.clear_section();
            }
            continue;
        }
        global.set_alignment(global.alignment().max(16));
        if let Some(undefined) = module.undefined(global.value_type()) {
            global.set_initializer(undefined);
        }
        global.value().set_linkage(Linkage::Internal);
        global.clear_section();
        module.change_space(global, SHARED);
    }
}

fn attributes(module: &Module<'_>) {
    let convergent = Attribute::named(module.context, "convergent", 0);
    for function in module.functions() {
        for name in HOST_ATTRIBUTES {
            function.remove_text_attribute(name);
        }
        function.remove_attribute("uwtable");
        if function.value().name().starts_with("llvm.") {
            continue;
        }
        // Whatever may lead to a barrier or shuffle must not be moved into or out of branches. LLVM takes the mark away again from
        // functions that it sees do not.
        function.add_attribute(convergent);
        for instruction in function.instructions() {
            if let Some(called) = instruction.called()
                && called.as_function().is_none()
            {
                instruction.add_call_attribute(convergent);
            }
        }
    }
}

fn entry(module: &Module<'_>, kernel: &Kernel) -> Result<(), Diagnostic> {
    let function = kernel.function(module)?;
    let components = &kernel.info.components;
    if function.parameter_count() != components.len() {
        return Err(Diagnostic::internal(format!(
            "the entry of kernel `{}` takes {} parameters, its descriptor has {}",
            kernel.info.name,
            function.parameter_count(),
            components.len()
        )));
    }
    function.make_kernel();
    for (i, component) in components.iter().enumerate() {
        match component.kind {
            ComponentKind::Scalar | ComponentKind::Pointer => {}
            ComponentKind::Aggregate | ComponentKind::Function => {
                let bytes = module.bytes_type(u64::from(component.size));
                function.add_parameter_attribute(i, Attribute::of_type(module.context, "byval", bytes));
                function.add_parameter_attribute(i, Attribute::named(module.context, "align", u64::from(component.align)));
            }
        }
    }
    if kernel.info.max_threads > 0 {
        let bound = kernel.info.max_threads.to_string();
        function.add_attribute(Attribute::text(module.context, "nvvm.maxntid", &bound));
    }
    if kernel.min_blocks > 0 {
        let bound = kernel.min_blocks.to_string();
        function.add_attribute(Attribute::text(module.context, "nvvm.minctasm", &bound));
    }
    Ok(())
}
