//! What the warps of a block share.

use std::sync::Arc;
use std::time::Instant;

use crate::code::{Code, FunctionInfo};
use crate::fault::FaultKind;
use crate::memory::{GlobalMemory, Region, View};

/// A fault on its way out.
#[derive(Debug)]
pub(crate) struct Stop {
    pub(crate) lane: u32,
    pub(crate) kind: FaultKind,
}

impl Stop {
    pub(crate) fn new(lane: u32, kind: FaultKind) -> Box<Stop> {
        Box::new(Stop { lane, kind })
    }
}

/// Memory and code as one worker sees them; reused for block after block.
pub(crate) struct Context<'l> {
    pub(crate) code: &'l Code,
    pub(crate) entry: &'l FunctionInfo,
    pub(crate) memory: &'l GlobalMemory,
    pub(crate) view: View,
    /// The allocation that each access found last.
    pub(crate) sites: Vec<Region>,
    /// Parameters of the kernel, padded to words.
    pub(crate) parameters: Vec<u64>,
    pub(crate) parameter_bytes: u64,
    /// Those that operations take as operands; see [`Slot::PARAMETERS`](crate::code::Slot::PARAMETERS).
    pub(crate) uniform: Arc<[u64]>,
    /// Shared memory of the block.
    pub(crate) shared: Vec<u64>,
    pub(crate) shared_bytes: u64,
    /// Bytes of each thread's own memory.
    pub(crate) local_bytes: u32,
    pub(crate) started: Instant,
    /// Threads that arrived at each barrier without waiting.
    pub(crate) arrived: [u32; BARRIERS],
    /// What the block printed, and bytes of it that found no room.
    pub(crate) printed: Vec<u8>,
    pub(crate) print_lost: u64,
}

/// Barriers of a block.
pub(crate) const BARRIERS: usize = 16;

impl Context<'_> {
    /// Takes note of what was freed since.
    #[inline(always)]
    pub(crate) fn refresh(&mut self) {
        if self.view.is_stale(self.memory) {
            self.renew();
        }
    }

    /// Takes note of all that was allocated or freed since.
    #[cold]
    pub(crate) fn renew(&mut self) {
        self.view = self.memory.view();
        self.sites.fill(Region::NONE);
    }
}
