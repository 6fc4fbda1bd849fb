//! The interpreter's loop.

use super::context::{Context, Stop};
use super::schedule::{Flow, Group};
use super::warp::{Warp, bits};
use crate::code::table::{FULL, LANES, Lanes};
use crate::code::{Carry, Clock, Op, Slot};
use crate::fault::FaultKind;
use crate::memory::{GLOBAL_START, LOCAL_WINDOW, PARAMETER_WINDOW, SHARED_WINDOW, WINDOW_BYTES};
use threadwise_ptx::Space;

/// Backward branches of a group before other lanes of the warp run.
const GROUP_QUANTUM: u32 = 1 << 16;
/// Accesses that may poll, after which a backward branch lets other lanes of the warp run.
const GROUP_POLLS: u32 = 32;
/// The same for other warps.
const WARP_POLLS: u32 = 1 << 10;

/// How a collective or a call goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// With the next operation.
    Continue,
    /// At that place, in the frame with that first register word.
    Jump { pc: u32, base: u32 },
    /// Lanes are not together any more.
    Reschedule,
}

impl Warp {
    /// Runs a group until it stops.
    #[inline(always)]
    pub(super) fn interpret(&mut self, context: &mut Context<'_>, group: Group, quantum: &mut u32) -> Result<Flow, Box<Stop>> {
        let code = context.code;
        let Group { mask, mut pc, base, mut limit, shared } = group;
        let count = u64::from(mask.count_ones());
        let mut stall = GROUP_QUANTUM;
        let mut polls = 0;
        self.registers.enter(base, 0);
        loop {
            if pc >= limit {
                self.set_pc(mask, pc);
                return Ok(Flow::Reschedule);
            }
            self.steps += 1;
            self.lane_steps += count;
            let at = pc;
            pc += 1;
            match code.ops[at as usize] {
                Op::Unary32 { op, d, a } => {
                    let r = &self.registers;
                    op.run(r.lanes32(a), r.out32(d, mask));
                }
                Op::Unary64 { op, d, a } => {
                    let r = &self.registers;
                    op.run(r.lanes64(a), r.out64(d, mask));
                }
                Op::Widen { op, d, a } => {
                    let r = &self.registers;
                    op.run(r.lanes32(a), r.out64(d, mask));
                }
                Op::Narrow { op, d, a } => {
                    let r = &self.registers;
                    op.run(r.lanes64(a), r.out32(d, mask));
                }
                Op::Binary32 { op, d, a, b } => {
                    let r = &self.registers;
                    op.run(r.lanes32(a), r.lanes32(b), r.out32(d, mask));
                }
                Op::Binary64 { op, d, a, b } => {
                    let r = &self.registers;
                    op.run(r.lanes64(a), r.lanes64(b), r.out64(d, mask));
                }
                Op::Shift64 { op, d, a, b } => {
                    let r = &self.registers;
                    op.run(r.lanes64(a), r.lanes32(b), r.out64(d, mask));
                }
                Op::Join { op, d, a, b } => {
                    let r = &self.registers;
                    op.run(r.lanes32(a), r.lanes32(b), r.out64(d, mask));
                }
                Op::Ternary32 { op, d, a, b, c } => {
                    let r = &self.registers;
                    op.run(r.lanes32(a), r.lanes32(b), r.lanes32(c), r.out32(d, mask));
                }
                Op::Ternary64 { op, d, a, b, c } => {
                    let r = &self.registers;
                    op.run(r.lanes64(a), r.lanes64(b), r.lanes64(c), r.out64(d, mask));
                }
                Op::MadWide { op, d, a, b, c } => {
                    let r = &self.registers;
                    op.run(r.lanes32(a), r.lanes32(b), r.lanes64(c), r.out64(d, mask));
                }
                Op::Field64 { op, d, a, b, c } => {
                    let r = &self.registers;
                    op.run(r.lanes64(a), r.lanes32(b), r.lanes32(c), r.out64(d, mask));
                }
                Op::Select64 { op, d, a, b, c } => {
                    let r = &self.registers;
                    op.run(r.lanes64(a), r.lanes64(b), r.lanes32(c), r.out64(d, mask));
                }
                Op::Quaternary32 { op, d, a, b, c, e } => {
                    let r = &self.registers;
                    op.run(r.lanes32(a), r.lanes32(b), r.lanes32(c), r.lanes32(e), r.out32(d, mask));
                }
                Op::Quaternary64 { op, d, a, b, c, e } => {
                    let r = &self.registers;
                    op.run(r.lanes64(a), r.lanes64(b), r.lanes32(c), r.lanes32(e), r.out64(d, mask));
                }
                Op::Compare32 { op, negate, d, a, b } => {
                    let out = op.run(self.registers.lanes32(a), self.registers.lanes32(b));
                    self.registers.put_mask(d, if negate { !out } else { out }, mask);
                }
                Op::Compare64 { op, negate, d, a, b } => {
                    let out = op.run(self.registers.lanes64(a), self.registers.lanes64(b));
                    self.registers.put_mask(d, if negate { !out } else { out }, mask);
                }
                Op::Logic { op, d, a, b } => {
                    let out = op.run(self.registers.get_mask(a), self.registers.get_mask(b));
                    self.registers.put_mask(d, out, mask);
                }
                Op::Selp32 { d, a, b, p } => {
                    let r = &self.registers;
                    let (a, b, p) = (r.lanes32(a), r.lanes32(b), r.get_mask(p));
                    r.out32(d, mask).put(|i| if p >> i & 1 != 0 { a[i].get() } else { b[i].get() });
                }
                Op::Selp64 { d, a, b, p } => {
                    let r = &self.registers;
                    let (a, b, p) = (r.lanes64(a), r.lanes64(b), r.get_mask(p));
                    r.out64(d, mask).put(|i| if p >> i & 1 != 0 { a[i].get() } else { b[i].get() });
                }
                Op::Carry32 { op, input, output, d, a, b, c } => self.carry32(op, input, output, d, [a, b, c], mask),
                Op::Carry64 { op, input, output, d, a, b, c } => self.carry64(op, input, output, d, [a, b, c], mask),
                Op::Directed32 { op, rounding, d, a, b, c } => {
                    let r = &self.registers;
                    let (a, b, c) = (r.get32(a), r.get32(b), r.get32(c));
                    let out: Lanes<u32> = std::array::from_fn(|i| op.run32(a[i], b[i], c[i], rounding));
                    self.registers.put32(d, &out, mask);
                }
                Op::Directed64 { op, rounding, d, a, b, c } => {
                    let r = &self.registers;
                    let (a, b, c) = (r.get64(a), r.get64(b), r.get64(c));
                    let out: Lanes<u64> = std::array::from_fn(|i| op.run64(a[i], b[i], c[i], rounding));
                    self.registers.put64(d, &out, mask);
                }
                Op::Convert { convert, d, wide_d, a, wide_a } => self.convert(context, convert, (d, wide_d), (a, wide_a), mask),
                Op::Small { small, d, a, b, c } => {
                    let r = &self.registers;
                    let out = code.smalls[small as usize].run(&r.get32(a), &r.get32(b), &r.get32(c));
                    self.registers.put32(d, &out, mask);
                }
                Op::Clock { clock, wide, d } => self.clock(context, clock, wide, d, mask),
                Op::FrameAddress { d, offset } => {
                    self.registers.out64(d, mask).put(|i| u64::from(self.sp[i].wrapping_add(offset)));
                }
                Op::Window { space, to_generic, d, a } => self.window(space, to_generic, d, a, mask),
                Op::Isspacep { space, d, a } => self.isspacep(space, d, a, mask),
                Op::Load { access } => {
                    polls += u32::from(code.accesses[access as usize].polls);
                    self.load(context, access, mask).inspect_err(|_| self.set_pc(mask, at))?;
                }
                Op::Store { access } => self.store(context, access, mask).inspect_err(|_| self.set_pc(mask, at))?,
                Op::Atomic { atomic } => {
                    polls += 1;
                    self.atomic(context, atomic, mask).inspect_err(|_| self.set_pc(mask, at))?;
                }
                Op::Fence => std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst),
                Op::Branch { target } => {
                    pc = target;
                    if target <= at
                        && let Some(flow) = self.tick(quantum, &mut stall, polls, shared)
                    {
                        self.set_pc(mask, pc);
                        return Ok(flow);
                    }
                }
                Op::BranchIf { p, negate, target } => {
                    let p = self.registers.get_mask(p);
                    let taken = if negate { !p } else { p } & mask;
                    if taken == mask {
                        pc = target;
                        if target <= at
                            && let Some(flow) = self.tick(quantum, &mut stall, polls, shared)
                        {
                            self.set_pc(mask, pc);
                            return Ok(flow);
                        }
                    } else if taken != 0 {
                        self.set_pc(taken, target);
                        self.set_pc(mask & !taken, pc);
                        return Ok(self.split(quantum, target <= at));
                    }
                }
                Op::BranchIndexed { index, table } => {
                    let targets = &code.tables[table as usize];
                    let indices = self.registers.get32(index);
                    self.set_pc(mask, at);
                    for lane in bits(mask) {
                        match targets.get(indices[lane] as usize) {
                            Some(&target) => self.pc[lane] = target,
                            None => {
                                let kind = FaultKind::BadBranch { index: indices[lane], targets: targets.len() as u32 };
                                return Err(Stop::new(lane as u32, kind));
                            }
                        }
                    }
                    return Ok(self.split(quantum, true));
                }
                Op::Call { call } => {
                    let before = self.depth[mask.trailing_zeros() as usize];
                    match self.call(context, call, mask, at).inspect_err(|_| self.set_pc(mask, at))? {
                        Next::Continue => {}
                        Next::Jump { pc: to, base } => {
                            pc = to;
                            self.registers.enter(base, 0);
                            // Nobody else is as deep.
                            limit = u32::MAX;
                            debug_assert!(self.depth[mask.trailing_zeros() as usize] > before);
                        }
                        Next::Reschedule => return Ok(Flow::Reschedule),
                    }
                }
                Op::Return => match self.ret(context, mask) {
                    Next::Continue => {}
                    Next::Jump { pc: to, base } if !shared => {
                        pc = to;
                        self.registers.enter(base, 0);
                    }
                    Next::Jump { .. } | Next::Reschedule => return Ok(Flow::Reschedule),
                },
                Op::Exit => {
                    self.gave_up |= mask;
                    self.exit(mask);
                    return Ok(Flow::Reschedule);
                }
                Op::Trap => {
                    self.set_pc(mask, at);
                    return Err(Stop::new(mask.trailing_zeros(), FaultKind::Trap));
                }
                Op::Yield => {
                    self.set_pc(mask, pc);
                    return Ok(if shared { Flow::Stalled } else { Flow::Yield });
                }
                Op::Activemask { d } => self.registers.put32(d, &[mask; LANES], mask),
                Op::Collective { collective } => {
                    match self.collective(context, collective, mask, at).inspect_err(|_| self.set_pc(mask, at))? {
                        Next::Continue => {}
                        Next::Jump { .. } | Next::Reschedule => return Ok(Flow::Reschedule),
                    }
                }
                Op::Barrier { barrier } => {
                    self.set_pc(mask, at);
                    match self.barrier(context, barrier, mask)? {
                        Next::Continue => {}
                        Next::Jump { .. } | Next::Reschedule => return Ok(Flow::Reschedule),
                    }
                }
            }
        }
    }

    /// Counts a backward branch.
    #[inline(always)]
    fn tick(&mut self, quantum: &mut u32, stall: &mut u32, polls: u32, shared: bool) -> Option<Flow> {
        *quantum = quantum.saturating_sub(1);
        *stall = stall.saturating_sub(1);
        if shared && (*stall == 0 || polls > GROUP_POLLS) {
            Some(Flow::Stalled)
        } else if *quantum == 0 || polls > WARP_POLLS {
            Some(Flow::Yield)
        } else {
            None
        }
    }

    /// Lanes went different ways.
    fn split(&mut self, quantum: &mut u32, backward: bool) -> Flow {
        if backward {
            *quantum = quantum.saturating_sub(1);
        }
        if *quantum == 0 { Flow::Yield } else { Flow::Reschedule }
    }

    #[inline(never)]
    fn carry32(&mut self, op: Carry, input: bool, output: bool, d: Slot, [a, b, c]: [Slot; 3], mask: u32) {
        let (a, b, c) = (self.registers.get32(a), self.registers.get32(b), self.registers.get32(c));
        let carry_in = if input { self.carry } else { 0 };
        let mut carry = 0;
        let out: Lanes<u32> = std::array::from_fn(|i| {
            let (x, y) = match op {
                Carry::Add | Carry::Sub => (a[i], b[i]),
                Carry::MadLo => (a[i].wrapping_mul(b[i]), c[i]),
                Carry::MadHiU => (((u64::from(a[i]) * u64::from(b[i])) >> 32) as u32, c[i]),
                Carry::MadHiS => (((i64::from(a[i] as i32) * i64::from(b[i] as i32)) >> 32) as u32, c[i]),
            };
            let extra = carry_in >> i & 1;
            let ((sum, first), more) = match op {
                Carry::Sub => {
                    let (difference, borrow) = x.overflowing_sub(y);
                    (difference.overflowing_sub(extra), borrow)
                }
                Carry::Add | Carry::MadLo | Carry::MadHiU | Carry::MadHiS => {
                    let (sum, carry) = x.overflowing_add(y);
                    (sum.overflowing_add(extra), carry)
                }
            };
            carry |= u32::from(first | more) << i;
            sum
        });
        self.registers.put32(d, &out, mask);
        if output {
            self.carry = self.carry & !mask | carry & mask;
        }
    }

    #[inline(never)]
    fn carry64(&mut self, op: Carry, input: bool, output: bool, d: Slot, [a, b, c]: [Slot; 3], mask: u32) {
        let (a, b, c) = (self.registers.get64(a), self.registers.get64(b), self.registers.get64(c));
        let carry_in = if input { self.carry } else { 0 };
        let mut carry = 0;
        let out: Lanes<u64> = std::array::from_fn(|i| {
            let (x, y) = match op {
                Carry::Add | Carry::Sub => (a[i], b[i]),
                Carry::MadLo => (a[i].wrapping_mul(b[i]), c[i]),
                Carry::MadHiU => (((u128::from(a[i]) * u128::from(b[i])) >> 64) as u64, c[i]),
                Carry::MadHiS => (((i128::from(a[i] as i64) * i128::from(b[i] as i64)) >> 64) as u64, c[i]),
            };
            let extra = u64::from(carry_in >> i & 1);
            let ((sum, first), more) = match op {
                Carry::Sub => {
                    let (difference, borrow) = x.overflowing_sub(y);
                    (difference.overflowing_sub(extra), borrow)
                }
                Carry::Add | Carry::MadLo | Carry::MadHiU | Carry::MadHiS => {
                    let (sum, carry) = x.overflowing_add(y);
                    (sum.overflowing_add(extra), carry)
                }
            };
            carry |= u32::from(first | more) << i;
            sum
        });
        self.registers.put64(d, &out, mask);
        if output {
            self.carry = self.carry & !mask | carry & mask;
        }
    }

    #[inline(never)]
    fn convert(&mut self, context: &Context<'_>, convert: u32, (d, wide_d): (Slot, bool), (a, wide_a): (Slot, bool), mask: u32) {
        let convert = &context.code.converts[convert as usize];
        let operand: Lanes<u64> = if wide_a { self.registers.get64(a) } else { self.registers.get32(a).map(u64::from) };
        let out = convert.run(&operand);
        if wide_d {
            self.registers.put64(d, &out, mask);
        } else {
            self.registers.put32(d, &out.map(|v| v as u32), mask);
        }
    }

    #[inline(never)]
    fn clock(&mut self, context: &Context<'_>, clock: Clock, wide: bool, d: Slot, mask: u32) {
        let nanoseconds = || context.started.elapsed().as_nanos() as u64;
        let value = match clock {
            Clock::Cycles => self.steps,
            Clock::CyclesHigh => self.steps >> 32,
            Clock::Nanoseconds | Clock::NanosecondsLow => nanoseconds(),
            Clock::NanosecondsHigh => nanoseconds() >> 32,
        };
        if wide {
            self.registers.put64(d, &[value; LANES], mask);
        } else {
            self.registers.put32(d, &[value as u32; LANES], mask);
        }
    }

    #[inline(always)]
    fn window(&mut self, space: Space, to_generic: bool, d: Slot, a: Slot, mask: u32) {
        // Global and constant addresses are generic ones.
        let start = window_of(space).unwrap_or(0);
        let shift = if to_generic { start } else { start.wrapping_neg() };
        let a = self.registers.lanes64(a);
        self.registers.out64(d, mask).put(|i| a[i].get().wrapping_add(shift));
    }

    #[inline(never)]
    fn isspacep(&mut self, space: Space, d: Slot, a: Slot, mask: u32) {
        let a = self.registers.get64(a);
        let inside = |address: u64| match window_of(space) {
            Some(window) => address.wrapping_sub(window) < WINDOW_BYTES,
            None => space == Space::Global && address >= GLOBAL_START,
        };
        let out = (0..LANES).fold(0, |out, i| out | u32::from(inside(a[i])) << i);
        self.registers.put_mask(d, out, mask);
    }
}

/// Where a space's generic addresses begin.
pub(crate) fn window_of(space: Space) -> Option<u64> {
    match space {
        Space::Shared => Some(SHARED_WINDOW),
        Space::Local => Some(LOCAL_WINDOW),
        Space::Param => Some(PARAMETER_WINDOW),
        Space::Global | Space::Const => None,
    }
}

// The fast paths above compare with all lanes.
const _: () = assert!(FULL.count_ones() as usize == LANES);
