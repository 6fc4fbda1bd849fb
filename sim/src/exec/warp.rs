//! State of a warp.

use std::sync::Arc;

use super::registers::Registers;
use crate::code::table::{LANES, Lanes};

/// Where lanes go on when a function returns, by lane.
#[derive(Clone)]
pub(crate) struct Frame {
    pub(crate) pc: Lanes<u32>,
    pub(crate) base: Lanes<u32>,
    pub(crate) sp: Lanes<u32>,
    pub(crate) call: Lanes<u32>,
}

/// A warp. Each lane has its own place in the code; lanes at the same place run together.
pub(crate) struct Warp {
    pub(crate) registers: Registers,
    /// Each thread's own memory, one thread behind the other.
    pub(crate) local: Vec<u64>,
    /// Bytes from one thread's memory to the next.
    pub(crate) local_stride: usize,
    /// Next operation of each lane.
    pub(crate) pc: Lanes<u32>,
    /// First register word of each lane's frame.
    pub(crate) base: Lanes<u32>,
    /// First byte of each lane's frame in its own memory.
    pub(crate) sp: Lanes<u32>,
    /// Calls that each lane is in.
    pub(crate) depth: Lanes<u32>,
    pub(crate) frames: Vec<Frame>,
    /// Lanes that have not exited.
    pub(crate) live: u32,
    /// Lanes that ended with `exit`, as a panic does, and not by returning from the kernel.
    pub(crate) gave_up: u32,
    /// Lanes that can go on.
    pub(crate) running: u32,
    /// Lanes that wait for others of their warp at a collective.
    pub(crate) waiting: u32,
    /// Lanes that wait at a barrier of the block.
    pub(crate) at_barrier: u32,
    /// Which one.
    pub(crate) barrier: [u8; LANES],
    /// `live` when waiting lanes were last tried again.
    pub(crate) retried: u32,
    /// When each lane ran last.
    pub(crate) last_run: Lanes<u64>,
    pub(crate) stamp: u64,
    /// Condition code, one bit per lane.
    pub(crate) carry: u32,
    /// Operations of the warp.
    pub(crate) steps: u64,
    /// Operations of all lanes.
    pub(crate) lane_steps: u64,
    /// Linear index of the first thread in the block.
    pub(crate) first_thread: u32,
}

impl Warp {
    pub(crate) fn new(constants: Arc<[u64]>, parameters: Arc<[u64]>, local_bytes: u32) -> Warp {
        // One cache line more, so that the same place in all threads does not fall on the same cache set.
        let local_stride = if local_bytes == 0 { 0 } else { local_bytes.next_multiple_of(64) as usize + 64 };
        Warp {
            registers: Registers::new(constants, parameters),
            local: vec![0; local_stride * LANES / 8],
            local_stride,
            pc: [0; LANES],
            base: [0; LANES],
            sp: [0; LANES],
            depth: [0; LANES],
            frames: Vec::new(),
            live: 0,
            gave_up: 0,
            running: 0,
            waiting: 0,
            at_barrier: 0,
            barrier: [0; LANES],
            retried: 0,
            last_run: [0; LANES],
            stamp: 0,
            carry: 0,
            steps: 0,
            lane_steps: 0,
            first_thread: 0,
        }
    }

    /// Begins the kernel anew with these lanes.
    pub(crate) fn start(&mut self, lanes: u32, pc: u32, first_thread: u32, registers: u32) {
        self.pc = [pc; LANES];
        self.base = [0; LANES];
        self.sp = [0; LANES];
        self.depth = [0; LANES];
        self.live = lanes;
        self.gave_up = 0;
        self.running = lanes;
        self.waiting = 0;
        self.at_barrier = 0;
        self.retried = lanes;
        self.carry = 0;
        self.first_thread = first_thread;
        self.registers.enter(0, registers);
    }

    /// Ends lanes.
    pub(crate) fn exit(&mut self, lanes: u32) {
        self.live &= !lanes;
        self.running &= !lanes;
    }

    pub(crate) fn set_pc(&mut self, lanes: u32, pc: u32) {
        for lane in bits(lanes) {
            self.pc[lane] = pc;
        }
    }

    /// Start of a lane's own memory.
    #[inline(always)]
    pub(crate) fn local_start(&mut self, lane: usize) -> *mut u8 {
        self.local.as_mut_ptr().cast::<u8>().wrapping_add(lane * self.local_stride)
    }
}

/// Indices of the bits of a mask.
#[inline(always)]
pub(crate) fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = mask.trailing_zeros();
        mask &= mask.wrapping_sub(1);
        (lane < LANES as u32).then_some(lane as usize)
    })
}
