//! What the lanes of a warp do together. Lanes wait until all lanes of their mask that have not ended are there.

use super::context::{Context, Stop};
use super::interpret::Next;
use super::warp::{Warp, bits};
use crate::code::table::{LANES, Lanes};
use crate::code::{Collective, CollectiveOp, Reduction, Shuffle};
use crate::fault::FaultKind;

impl Warp {
    #[inline(never)]
    pub(super) fn collective(&mut self, context: &Context<'_>, index: u32, group: u32, at: u32) -> Result<Next, Box<Stop>> {
        let collective = &context.code.collectives[index as usize];
        let masks = self.registers.get32(collective.mask);
        let leader = group.trailing_zeros() as usize;
        let mask = masks[leader];
        // The usual case: one mask, and its lanes are here.
        if mask & self.live == group && bits(group).all(|lane| masks[lane] == mask) {
            self.execute(collective, mask, group)?;
            return Ok(Next::Continue);
        }
        self.some(collective, &masks, group, at)
    }

    /// Lets those lanes do it whose partners are all here; the others wait.
    fn some(&mut self, collective: &Collective, masks: &Lanes<u32>, group: u32, at: u32) -> Result<Next, Box<Stop>> {
        let leader = group.trailing_zeros() as usize;
        let (base, depth) = (self.base[leader], self.depth[leader]);
        let here = |lane: usize| self.pc[lane] == at && self.base[lane] == base && self.depth[lane] == depth;
        let present = bits(self.waiting).filter(|&lane| here(lane)).fold(group, |present, lane| present | 1 << lane);
        let mut todo = present;
        let mut done = 0;
        while todo != 0 {
            let lane = todo.trailing_zeros();
            let mask = masks[lane as usize];
            if mask >> lane & 1 == 0 {
                return Err(Stop::new(lane, FaultKind::BadMask { mask, lane }));
            }
            let same = bits(todo).filter(|&lane| masks[lane] == mask).fold(0, |same, lane| same | 1 << lane);
            todo &= !same;
            if let Some(outside) = bits(same).find(|&lane| mask >> lane & 1 == 0) {
                return Err(Stop::new(outside as u32, FaultKind::BadMask { mask, lane: outside as u32 }));
            }
            if same == mask & self.live {
                self.execute(collective, mask, same)?;
                done |= same;
            }
        }
        if done == group && present == group {
            return Ok(Next::Continue);
        }
        self.set_pc(done, at + 1);
        self.set_pc(present & !done, at);
        self.running = self.running & !present | done;
        self.waiting = self.waiting & !present | present & !done;
        Ok(Next::Reschedule)
    }

    /// Does it for `lanes`, which are all of `mask` that are left.
    fn execute(&mut self, c: &Collective, mask: u32, lanes: u32) -> Result<(), Box<Stop>> {
        let first = lanes.trailing_zeros() as usize;
        // A lane that panicked is no fault of its own: what it would have given is undefined on hardware, and here each reader's own value.
        let missing = mask & !lanes & !self.gave_up;
        if missing != 0 && !matches!(c.op, CollectiveOp::Barrier) {
            return Err(Stop::new(first as u32, FaultKind::EndedLane { mask, lane: missing.trailing_zeros() }));
        }
        match c.op {
            CollectiveOp::Barrier => {}
            CollectiveOp::Shuffle(shuffle) => return self.shuffle(c, shuffle, mask, lanes),
            CollectiveOp::VoteAll | CollectiveOp::VoteAny | CollectiveOp::VoteUni | CollectiveOp::Ballot => {
                let votes = self.registers.get_mask(c.a);
                let votes = if c.negate { !votes } else { votes } & lanes;
                let result = match c.op {
                    CollectiveOp::VoteAny => votes != 0,
                    CollectiveOp::VoteUni => votes == 0 || votes == lanes,
                    _ => votes == lanes,
                };
                if let Some(p) = c.p {
                    self.registers.put_mask(p, u32::from(result).wrapping_neg(), lanes);
                }
                if let Some(d) = c.d {
                    self.registers.put32(d, &[votes; LANES], lanes);
                }
            }
            CollectiveOp::MatchAny | CollectiveOp::MatchAll => {
                let values: Lanes<u64> = if c.wide { self.registers.get64(c.a) } else { self.registers.get32(c.a).map(u64::from) };
                let equal = |lane: usize| bits(lanes).filter(|&l| values[l] == values[lane]).fold(0, |m, l| m | 1 << l);
                let mut out = [0; LANES];
                let all = equal(first) == lanes;
                for lane in bits(lanes) {
                    out[lane] = match c.op {
                        CollectiveOp::MatchAll if all => lanes,
                        CollectiveOp::MatchAll => 0,
                        _ => equal(lane),
                    };
                }
                if let Some(d) = c.d {
                    self.registers.put32(d, &out, lanes);
                }
                if let Some(p) = c.p {
                    self.registers.put_mask(p, u32::from(all).wrapping_neg(), lanes);
                }
            }
            CollectiveOp::Reduce(reduction) => {
                let values = self.registers.get32(c.a);
                let value = bits(lanes).map(|lane| values[lane]).reduce(|a, b| reduce(reduction, a, b)).unwrap_or(0);
                if let Some(d) = c.d {
                    self.registers.put32(d, &[value; LANES], lanes);
                }
            }
            CollectiveOp::Elect => {
                if let Some(d) = c.d {
                    self.registers.put32(d, &[first as u32; LANES], lanes);
                }
                if let Some(p) = c.p {
                    self.registers.put_mask(p, 1 << first, lanes);
                }
            }
        }
        Ok(())
    }

    fn shuffle(&mut self, c: &Collective, shuffle: Shuffle, mask: u32, lanes: u32) -> Result<(), Box<Stop>> {
        let (values, b, clamp) = (self.registers.get32(c.a), self.registers.get32(c.b), self.registers.get32(c.c));
        let mut out = values;
        let mut inside = 0;
        for lane in bits(lanes) {
            let (at, b) = (lane as u32, b[lane] & 31);
            let segment = clamp[lane] >> 8 & 31;
            let max = at & segment | clamp[lane] & 31 & !segment;
            let min = at & segment;
            let (source, valid) = match shuffle {
                Shuffle::Up => (at.wrapping_sub(b), at as i32 - b as i32 >= max as i32),
                Shuffle::Down => (at + b, at + b <= max),
                Shuffle::Bfly => (at ^ b, at ^ b <= max),
                Shuffle::Idx => (min | b & !segment, min | b & !segment <= max),
            };
            if !valid {
                continue;
            }
            inside |= 1 << lane;
            if mask >> source & 1 == 0 {
                return Err(Stop::new(at, FaultKind::InactiveLane { mask, source }));
            }
            if lanes >> source & 1 != 0 {
                out[lane] = values[source as usize];
            }
        }
        if let Some(d) = c.d {
            self.registers.put32(d, &out, lanes);
        }
        if let Some(p) = c.p {
            self.registers.put_mask(p, inside, lanes);
        }
        Ok(())
    }
}

fn reduce(reduction: Reduction, a: u32, b: u32) -> u32 {
    match reduction {
        Reduction::Add => a.wrapping_add(b),
        Reduction::MinU => a.min(b),
        Reduction::MaxU => a.max(b),
        Reduction::MinS => (a as i32).min(b as i32) as u32,
        Reduction::MaxS => (a as i32).max(b as i32) as u32,
        Reduction::And => a & b,
        Reduction::Or => a | b,
        Reduction::Xor => a ^ b,
    }
}
