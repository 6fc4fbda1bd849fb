//! Allows `a * b + c` to become one fused operation in the crate's own code, as nvcc does by default.
//!
//! It comes before the runtime is linked: the math functions rely on separate rounding where they ask for it.

use std::collections::HashSet;

use super::collect::Kernel;
use super::graph::Graph;
use crate::llvm::Module;

pub(crate) fn run(module: &Module<'_>, kernels: &[Kernel]) {
    let graph = Graph::of(module);
    let mut exact = HashSet::new();
    for kernel in kernels.iter().filter(|k| !k.fma) {
        if let Ok(function) = kernel.function(module) {
            exact.extend(graph.reachable(function));
        }
    }
    for function in module.functions().into_iter().filter(|f| !exact.contains(f)) {
        for instruction in function.instructions() {
            instruction.allow_contraction();
        }
    }
}
