//! LLVM's own optimization, with what it knows of NVPTX.

use crate::error::Diagnostic;
use crate::llvm::{Machine, Module};

pub(crate) fn run(module: &Module<'_>, machine: &Machine) -> Result<(), Vec<Diagnostic>> {
    module.run("default<O3>", machine).map_err(|e| vec![Diagnostic::internal(e)])
}
