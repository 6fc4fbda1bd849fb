//! Which lanes of a warp run next.
//!
//! Lanes deepest in calls go first, among those the ones with the lowest place in the code: as code is laid out in topological order but for
//! loops and cold blocks, lanes that took different ways meet again where the ways meet. Lanes that loop for long while others could go on
//! (a spin lock held by one of those) let the others run from time to time.

use super::context::{Context, Stop};
use super::warp::{Warp, bits};
use crate::code::Collective;
use crate::code::Op;
use crate::code::table::LANES;
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
/// Backward branches that a stall counts as: lanes that wait for other warps should not wait for each other for long.
const STALL_COST: u32 = 1 << 10;

impl Warp {
    /// Runs until all lanes wait at barriers or have ended, or for a while.
    pub(crate) fn run(&mut self, context: &mut Context<'_>) -> Result<Pause, Box<Stop>> {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma") {
            // SAFETY: every processor with these two features has the others.
            return unsafe { self.run_avx2(context) };
        }
        self.run_any(context)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
    fn run_avx2(&mut self, context: &mut Context<'_>) -> Result<Pause, Box<Stop>> {
        self.run_any(context)
    }

    #[inline(always)]
    fn run_any(&mut self, context: &mut Context<'_>) -> Result<Pause, Box<Stop>> {
        let mut quantum = WARP_QUANTUM;
        let mut fair = false;
        loop {
            if self.running == 0 {
                if self.retry(context)? {
                    continue;
                }
                return Ok(Pause::Blocked);
            }
            let group = self.pick(fair);
            match self.interpret(context, group, &mut quantum)? {
                Flow::Reschedule => fair = false,
                Flow::Stalled if quantum == 0 => return Ok(Pause::Yield),
                Flow::Stalled => {
                    fair = true;
                    quantum = quantum.saturating_sub(STALL_COST);
                }
                Flow::Yield => return Ok(Pause::Yield),
            }
        }
    }

    /// The group to run next, of lanes that are running.
    #[inline(always)]
    fn pick(&mut self, fair: bool) -> Group {
        let running = self.running;
        // Ordered by depth, deepest first, then by place; lanes that do not run come last.
        let mut keys = [0u64; LANES];
        let mut least = u64::MAX;
        for (i, key) in keys.iter_mut().enumerate() {
            let place = u64::from(!self.depth[i]) << 32 | u64::from(self.pc[i]);
            *key = if running >> i & 1 != 0 { place } else { u64::MAX };
            least = least.min(*key);
        }
        if fair && let Some(longest) = bits(running).min_by_key(|&lane| self.last_run[lane]) {
            least = keys[longest];
        }
        let leader = keys.iter().position(|&key| key == least).unwrap_or(0);
        let base = self.base[leader];
        let mut mask = 0;
        let mut limit = u32::MAX;
        for (i, &key) in keys.iter().enumerate() {
            mask |= u32::from(key == least && self.base[i] == base) << i;
            let behind = key > least && key >> 32 == least >> 32;
            limit = limit.min(if behind { key as u32 } else { u32::MAX });
        }
        let shared = mask != running;
        if shared {
            self.stamp += 1;
            for i in 0..LANES {
                self.last_run[i] = if mask >> i & 1 != 0 { self.stamp } else { self.last_run[i] };
            }
        }
        Group { mask, pc: least as u32, base, limit, shared }
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
