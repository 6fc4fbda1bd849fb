//! A block: its warps and its barriers.

use std::sync::Arc;

use threadwise_abi::Dim3;

use super::context::{BARRIERS, Context, Stop};
use super::interpret::Next;
use super::schedule::Pause;
use super::warp::{Warp, bits};
use crate::code::table::LANES;
use crate::code::{Barrier, BarrierReduction, Op, Special};
use crate::fault::FaultKind;

impl Warp {
    /// The lanes of a group come to a barrier.
    pub(super) fn barrier(&mut self, context: &mut Context<'_>, index: u32, mask: u32) -> Result<Next, Box<Stop>> {
        let barrier = &context.code.barriers[index as usize];
        let ids = self.registers.get32(barrier.id);
        let threads = barrier.threads.map(|slot| self.registers.get32(slot));
        for lane in bits(mask) {
            let threads = threads.map_or(0, |threads| threads[lane]);
            if ids[lane] as usize >= BARRIERS || !threads.is_multiple_of(LANES as u32) {
                return Err(Stop::new(lane as u32, FaultKind::BadBarrier { barrier: ids[lane], threads }));
            }
            self.barrier[lane] = ids[lane] as u8;
        }
        if barrier.arrive {
            for lane in bits(mask) {
                context.arrived[ids[lane] as usize] += 1;
            }
            return Ok(Next::Continue);
        }
        self.at_barrier |= mask;
        self.running &= !mask;
        Ok(Next::Reschedule)
    }

    /// The barrier that a waiting lane waits at.
    fn barrier_of<'c>(&self, context: &Context<'c>, lane: usize) -> Option<&'c Barrier> {
        match context.code.ops[self.pc[lane] as usize] {
            Op::Barrier { barrier } => context.code.barriers.get(barrier as usize),
            _ => None,
        }
    }

    /// All threads of a warp must be at the same barrier instruction if it says `.aligned`.
    fn check_aligned(&self, context: &Context<'_>) -> Result<(), Box<Stop>> {
        if self.at_barrier == 0 || self.running | self.waiting != 0 {
            return Ok(());
        }
        let first = self.at_barrier.trailing_zeros() as usize;
        let Some(other) = bits(self.at_barrier).find(|&lane| self.pc[lane] != self.pc[first]) else { return Ok(()) };
        let aligned = |lane| self.barrier_of(context, lane).is_some_and(|b| b.aligned);
        if aligned(first) || aligned(other) {
            let other_line = context.code.lines[self.pc[first] as usize].0;
            return Err(Stop::new(other as u32, FaultKind::BarrierDivergence { other_line }));
        }
        Ok(())
    }
}

/// A fault and the warp it happened in.
pub(crate) struct BlockStop {
    pub(crate) warp: usize,
    pub(crate) stop: Box<Stop>,
}

/// The warps of a block, reused for block after block.
pub(crate) struct Block {
    pub(crate) warps: Vec<Warp>,
    threads: u32,
}

impl Block {
    pub(crate) fn new(
        context: &Context<'_>,
        constants: &Arc<[u64]>,
        size: Dim3,
        grid: Dim3,
        worker: usize,
        workers: usize,
        dynamic: u32,
    ) -> Block {
        let threads = size.count() as u32;
        let warps = (0..threads.div_ceil(LANES as u32))
            .map(|index| {
                let mut warp = Warp::new(Arc::clone(constants), Arc::clone(&context.uniform), context.local_bytes);
                let first = index * LANES as u32;
                let r = &mut warp.registers;
                r.set_special(Special::TidX, |lane| (first + lane) % size.x);
                r.set_special(Special::TidY, |lane| (first + lane) / size.x % size.y);
                r.set_special(Special::TidZ, |lane| (first + lane) / size.x / size.y);
                for (special, value) in [
                    (Special::NtidX, size.x),
                    (Special::NtidY, size.y),
                    (Special::NtidZ, size.z),
                    (Special::NctaidX, grid.x),
                    (Special::NctaidY, grid.y),
                    (Special::NctaidZ, grid.z),
                    (Special::Warpid, index),
                    (Special::Nwarpid, threads.div_ceil(LANES as u32)),
                    (Special::Smid, worker as u32),
                    (Special::Nsmid, workers as u32),
                    (Special::DynamicSmemSize, dynamic),
                    (Special::TotalSmemSize, context.shared_bytes as u32),
                ] {
                    r.set_special(special, |_| value);
                }
                r.set_special64(Special::Gridid, 1);
                r.set_special(Special::Laneid, |lane| lane);
                r.set_special(Special::LanemaskEq, |lane| 1 << lane);
                r.set_special(Special::LanemaskLt, |lane| (1 << lane) - 1);
                r.set_special(Special::LanemaskLe, |lane| u32::MAX >> (31 - lane));
                r.set_special(Special::LanemaskGt, |lane| !(u32::MAX >> (31 - lane)));
                r.set_special(Special::LanemaskGe, |lane| u32::MAX << lane);
                warp
            })
            .collect();
        Block { warps, threads }
    }

    /// Runs one block from begin to end.
    pub(crate) fn run(&mut self, context: &mut Context<'_>, at: Dim3) -> Result<(), BlockStop> {
        for (index, warp) in self.warps.iter_mut().enumerate() {
            let first = index as u32 * LANES as u32;
            let lanes = match self.threads - first {
                some @ ..32 => (1 << some) - 1,
                _ => u32::MAX,
            };
            warp.start(lanes, context.entry.start, first, context.entry.registers);
            warp.registers.set_special(Special::CtaidX, |_| at.x);
            warp.registers.set_special(Special::CtaidY, |_| at.y);
            warp.registers.set_special(Special::CtaidZ, |_| at.z);
        }
        context.shared.fill(0);
        context.arrived = [0; BARRIERS];
        loop {
            let mut progress = false;
            let mut blocked = false;
            for (index, warp) in self.warps.iter_mut().enumerate() {
                if warp.running | warp.waiting == 0 {
                    continue;
                }
                progress = true;
                let pause = warp.run(context).map_err(|stop| BlockStop { warp: index, stop })?;
                if pause == Pause::Blocked {
                    blocked = true;
                    warp.check_aligned(context).map_err(|stop| BlockStop { warp: index, stop })?;
                }
            }
            if self.warps.iter().all(|warp| warp.live == 0) {
                return Ok(());
            }
            if progress && !blocked {
                // All may wait for another block.
                std::thread::yield_now();
            }
            let released = self.release(context, false);
            if !released && !progress && !self.release(context, true) {
                return Err(self.deadlock(context));
            }
        }
    }

    /// Threads that wait at a barrier, how many it waits for, and a warp and lane of them.
    fn count(&self, context: &Context<'_>, id: usize) -> Option<(u32, u32, usize, usize)> {
        let mut waiting = 0;
        let mut found = None;
        for (index, warp) in self.warps.iter().enumerate() {
            for lane in bits(warp.at_barrier).filter(|&lane| usize::from(warp.barrier[lane]) == id) {
                waiting += 1;
                found = found.or(Some((index, lane)));
            }
        }
        let (index, lane) = found?;
        let warp = &self.warps[index];
        let live = self.warps.iter().map(|warp| warp.live.count_ones()).sum();
        let threads = warp.barrier_of(context, lane).and_then(|b| b.threads);
        let expected = match threads {
            Some(slot) => warp.registers.peek32(warp.base[lane], slot, lane),
            None => live,
        };
        Some((waiting + context.arrived[id], expected, index, lane))
    }

    /// Releases complete barriers. `ended_count`: threads that ended count as arrived at barriers with a number of threads.
    fn release(&mut self, context: &mut Context<'_>, ended_count: bool) -> bool {
        let mut released = false;
        let ended = self.threads - self.warps.iter().map(|warp| warp.live.count_ones()).sum::<u32>();
        let mut ids = 0u32;
        for warp in &self.warps {
            for lane in bits(warp.at_barrier) {
                ids |= 1 << warp.barrier[lane];
            }
        }
        for id in bits(ids) {
            let Some((arrived, expected, index, lane)) = self.count(context, id) else { continue };
            let extra =
                if ended_count && self.warps[index].barrier_of(context, lane).is_some_and(|b| b.threads.is_some()) { ended } else { 0 };
            if arrived + extra < expected {
                continue;
            }
            self.complete(context, id);
            context.arrived[id] = 0;
            released = true;
        }
        released
    }

    /// Lets the threads at a barrier go on.
    fn complete(&mut self, context: &Context<'_>, id: usize) {
        let mut votes = (0, 0);
        for warp in &self.warps {
            for lane in bits(warp.at_barrier).filter(|&lane| usize::from(warp.barrier[lane]) == id) {
                let Some(barrier) = warp.barrier_of(context, lane) else { continue };
                if barrier.reduction != BarrierReduction::None {
                    let vote = warp.registers.peek_mask(warp.base[lane], barrier.p, lane) != barrier.negate;
                    votes.0 += u32::from(vote);
                    votes.1 += 1;
                }
            }
        }
        for warp in &mut self.warps {
            let lanes = bits(warp.at_barrier).filter(|&lane| usize::from(warp.barrier[lane]) == id).fold(0, |m, lane| m | 1 << lane);
            for lane in bits(lanes) {
                let Some(barrier) = warp.barrier_of(context, lane) else { continue };
                warp.registers.enter(warp.base[lane], 0);
                match barrier.reduction {
                    BarrierReduction::None => {}
                    BarrierReduction::Popc => warp.registers.put32(barrier.d, &[votes.0; LANES], 1 << lane),
                    BarrierReduction::And => {
                        warp.registers.put_mask(barrier.d, u32::from(votes.0 == votes.1).wrapping_neg(), 1 << lane);
                    }
                    BarrierReduction::Or => {
                        warp.registers.put_mask(barrier.d, u32::from(votes.0 > 0).wrapping_neg(), 1 << lane);
                    }
                }
                warp.pc[lane] += 1;
            }
            warp.at_barrier &= !lanes;
            warp.running |= lanes;
        }
    }

    fn deadlock(&self, context: &Context<'_>) -> BlockStop {
        for id in 0..BARRIERS {
            if let Some((arrived, expected, warp, lane)) = self.count(context, id) {
                let kind = FaultKind::BarrierDeadlock { barrier: id as u32, arrived, expected };
                return BlockStop { warp, stop: Stop::new(lane as u32, kind) };
            }
        }
        let kind = FaultKind::BarrierDeadlock { barrier: 0, arrived: 0, expected: self.threads };
        BlockStop { warp: 0, stop: Stop::new(0, kind) }
    }
}
