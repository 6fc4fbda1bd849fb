//! Faults that the simulator finds.

use std::fmt;

use threadwise_abi::Dim3;
pub use threadwise_sim::{FaultKind, SourcePlace};

/// A thread did something that no GPU defines, such as an access outside of every buffer; the simulator stopped the kernel there.
#[derive(Debug)]
pub struct KernelFault {
    /// The kernel.
    pub kernel: String,
    /// Block of the thread.
    pub block: Dim3,
    /// The thread in its block.
    pub thread: Dim3,
    /// Line of the PTX, from 1.
    pub ptx_line: u32,
    /// Place in the Rust source, where the PTX tells.
    pub place: Option<SourcePlace>,
    /// What happened.
    pub kind: FaultKind,
}

impl KernelFault {
    /// The simulator's fault under the kernel's own name.
    pub(crate) fn new(kernel: &str, fault: threadwise_sim::Fault) -> Self {
        let threadwise_sim::Fault { kernel: _, block, thread, ptx_line, place, kind } = fault;
        KernelFault { kernel: kernel.to_owned(), block, thread, ptx_line, place, kind }
    }
}

impl fmt::Display for KernelFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let KernelFault { kernel, block, thread, ptx_line, place, kind } = self;
        write!(f, "kernel `{kernel}` faulted in block {block}, thread {thread} at ")?;
        if let Some(SourcePlace { file, line, column }) = place {
            write!(f, "{file}:{line}:{column} ")?;
        }
        write!(f, "(PTX line {ptx_line}): {kind}")
    }
}

impl std::error::Error for KernelFault {}
