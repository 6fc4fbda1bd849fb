//! After optimization: tells each panic which kernel it is in, and those that core reports without a place where they are.

use super::collect::Kernel;
use super::graph::Graph;
use super::names::{KERNEL_INDEX, PANIC_PLACE};
use crate::error::Diagnostic;
use crate::llvm::{Function, Module};

pub(crate) fn run(module: &Module<'_>, kernels: &[Kernel]) -> Result<(), Vec<Diagnostic>> {
    places(module);
    let Some(placeholder) = module.function(KERNEL_INDEX) else { return Ok(()) };
    let graph = Graph::of(module);
    let mut reach = Vec::new();
    for kernel in kernels {
        reach.push(graph.reachable(kernel.function(module).map_err(|e| vec![e])?));
    }
    for call in placeholder.value().calls() {
        let index = call.function().and_then(|home| owner(home, &reach)).unwrap_or(u32::MAX);
        if let Some(index) = module.u32(index) {
            call.value().replace_all_uses(index);
            call.erase();
        }
    }
    placeholder.delete();
    Ok(())
}

fn places(module: &Module<'_>) {
    let Some(placeholder) = module.function(PANIC_PLACE) else { return };
    for call in placeholder.value().calls() {
        let place = call.user_place().and_then(|place| module.place_constant(&place)).or_else(|| module.null(module.pointer_type()));
        if let Some(place) = place {
            call.value().replace_all_uses(place);
            call.erase();
        }
    }
    placeholder.delete();
}

/// The kernel that alone reaches `home`.
fn owner<'c>(home: Function<'c>, reach: &[std::collections::HashSet<Function<'c>>]) -> Option<u32> {
    let mut owners = reach.iter().enumerate().filter(|(_, reached)| reached.contains(&home));
    match (owners.next(), owners.next()) {
        (Some((i, _)), None) => u32::try_from(i).ok(),
        _ => None,
    }
}
