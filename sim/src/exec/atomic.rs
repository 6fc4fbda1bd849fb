//! Atomics: lane after lane, so that lanes with the same address see each other.

use super::context::{Context, Stop};
use super::warp::{Warp, bits};
use crate::code::float::{d, f, rd, rf};
use crate::code::table::{LANES, Lanes};
use crate::code::{AtomicOp, Width};
use crate::fault::AccessKind;
use crate::memory::Cell;

impl Warp {
    #[inline(never)]
    pub(super) fn atomic(&mut self, context: &mut Context<'_>, index: u32, mask: u32) -> Result<(), Box<Stop>> {
        let code = context.code;
        let atomic = &code.atomics[index as usize];
        let places = self.places(context, &atomic.access, mask, AccessKind::Atomic)?;
        let (result, width) = atomic.access.data[0];
        if width == Width::Bits64 {
            let (operand, second) = (self.registers.get64(atomic.operand), self.registers.get64(atomic.second));
            let mut out: Lanes<u64> = [0; LANES];
            for lane in bits(mask) {
                let (b, c) = (operand[lane], second[lane]);
                // SAFETY: `places` checked bounds and alignment of active lanes.
                out[lane] = unsafe { u64::update(places[lane], |old| update64(atomic.op, old, b, c)) };
            }
            if atomic.wanted {
                self.registers.put64(result, &out, mask);
            }
            return Ok(());
        }
        let (operand, second) = (self.registers.get32(atomic.operand), self.registers.get32(atomic.second));
        let mut out: Lanes<u32> = [0; LANES];
        for lane in bits(mask) {
            let (b, c) = (operand[lane], second[lane]);
            out[lane] = if width == Width::Bits16 {
                // SAFETY: as above.
                let old = unsafe { u16::update(places[lane], |old| update32(atomic.op, u32::from(old), b, c) as u16) };
                u32::from(old)
            } else {
                // SAFETY: as above.
                unsafe { u32::update(places[lane], |old| update32(atomic.op, old, b, c)) }
            };
        }
        if atomic.wanted {
            self.registers.put32(result, &out, mask);
        }
        Ok(())
    }
}

fn update32(op: AtomicOp, old: u32, b: u32, c: u32) -> u32 {
    match op {
        AtomicOp::Add => old.wrapping_add(b),
        AtomicOp::And => old & b,
        AtomicOp::Or => old | b,
        AtomicOp::Xor => old ^ b,
        AtomicOp::MinU => old.min(b),
        AtomicOp::MaxU => old.max(b),
        AtomicOp::MinS => (old as i32).min(b as i32) as u32,
        AtomicOp::MaxS => (old as i32).max(b as i32) as u32,
        AtomicOp::Exch => b,
        AtomicOp::Cas => {
            if old == b {
                c
            } else {
                old
            }
        }
        AtomicOp::Inc => {
            if old >= b {
                0
            } else {
                old + 1
            }
        }
        AtomicOp::Dec => {
            if old == 0 || old > b {
                b
            } else {
                old - 1
            }
        }
        AtomicOp::AddF32 | AtomicOp::AddF64 => rf(f(old) + f(b)),
    }
}

fn update64(op: AtomicOp, old: u64, b: u64, c: u64) -> u64 {
    match op {
        AtomicOp::Add => old.wrapping_add(b),
        AtomicOp::And => old & b,
        AtomicOp::Or => old | b,
        AtomicOp::Xor => old ^ b,
        AtomicOp::MinU => old.min(b),
        AtomicOp::MaxU => old.max(b),
        AtomicOp::MinS => (old as i64).min(b as i64) as u64,
        AtomicOp::MaxS => (old as i64).max(b as i64) as u64,
        AtomicOp::Exch => b,
        AtomicOp::Cas => {
            if old == b {
                c
            } else {
                old
            }
        }
        AtomicOp::Inc => {
            if old >= b {
                0
            } else {
                old + 1
            }
        }
        AtomicOp::Dec => {
            if old == 0 || old > b {
                b
            } else {
                old - 1
            }
        }
        AtomicOp::AddF32 | AtomicOp::AddF64 => rd(d(old) + d(b), [b, old]),
    }
}
