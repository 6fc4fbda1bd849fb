//! Which lanes of a warp run next.
//!
//! Lanes deepest in calls go first, among those the ones with the lowest place in the code: as code is laid out in topological order but for
//! loops and cold blocks, lanes that took different ways meet again where the ways meet. Lanes that loop for long while others could go on
//! (a spin lock held by one of those) let the others run from time to time.

use super::context::{Context, Stop};
use super::warp::{Warp, bits};
use crate::code::Collective;
use crate::code::Op;
use crate::fault::FaultKind;

/// Lanes that run together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    pub(crate) mask: u32,
    pub(crate) pc: u32,
    pub(crate) base: u32,
    /// Where other lanes wait to be joined: the group stops when it gets there.
    pub(crate) limit: u32,
    /// Other lanes could run.
    pub(crate) shared: bool,
}

/// Why a group stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    /// Lanes split up, joined others, wait or ended.
    Reschedule,
    /// It looped for long while others could run.
    Stalled,
    /// Other warps should run.
    Yield,
}

/// Why a warp stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pause {
    /// All lanes wait at barriers or have ended.
    Blocked,
    /// It could go on.
    Yield,
}

/// Backward branches of a warp before other warps run.
const WARP_QUANTUM: u32 = 1 << 16;

impl Warp {
    /// Runs until all lanes wait at barriers or have ended, or for a while.
    pub(crate) fn run(&mut self, context: &mut Context<'_>) -> Result<Pause, Box<Stop>> {
        let mut quantum = WARP_QUANTUM;
        let mut fair = false;
        loop {
            let Some(group) = self.pick(fair) else {
                if self.retry(context)? {
                    continue;
                }
                return Ok(Pause::Blocked);
            };
            match self.interpret(context, group, &mut quantum)? {
                Flow::Reschedule => fair = false,
                Flow::Stalled => fair = true,
                Flow::Yield => return Ok(Pause::Yield),
            }
        }
    }

    /// The group to run next.
    fn pick(&mut self, fair: bool) -> Option<Group> {
        let running = self.running;
        let first = bits(running).next()?;
        let leader = if fair {
            bits(running).min_by_key(|&lane| self.last_run[lane]).unwrap_or(first)
        } else {
            bits(running).min_by_key(|&lane| (u32::MAX - self.depth[lane], self.pc[lane])).unwrap_or(first)
        };
        let (pc, base, depth) = (self.pc[leader], self.base[leader], self.depth[leader]);
        let mut group = Group { mask: 0, pc, base, limit: u32::MAX, shared: false };
        self.stamp += 1;
        for lane in bits(running) {
            let same_depth = self.depth[lane] == depth;
            if same_depth && self.pc[lane] == pc && self.base[lane] == base {
                group.mask |= 1 << lane;
                self.last_run[lane] = self.stamp;
            } else if same_depth && self.pc[lane] > pc {
                group.limit = group.limit.min(self.pc[lane]);
            }
        }
        group.shared = group.mask != running;
        Some(group)
    }

    /// Lanes that wait for others at a collective try again when lanes have ended since; otherwise they wait for ever.
    fn retry(&mut self, context: &Context<'_>) -> Result<bool, Box<Stop>> {
        if self.waiting == 0 {
            return Ok(false);
        }
        if self.retried != self.live {
            self.retried = self.live;
            self.running |= self.waiting;
            self.waiting = 0;
            return Ok(true);
        }
        let lane = self.waiting.trailing_zeros();
        let mask = match context.code.ops[self.pc[lane as usize] as usize] {
            Op::Collective { collective } => {
                let Collective { mask, .. } = context.code.collectives[collective as usize];
                self.registers.enter(self.base[lane as usize], 0);
                self.registers.get32(mask)[lane as usize]
            }
            _ => 0,
        };
        Err(Stop::new(lane, FaultKind::WarpDeadlock { mask, present: self.waiting & mask }))
    }
}
