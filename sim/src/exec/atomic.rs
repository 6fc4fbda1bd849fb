//! Atomics: lane after lane, so that lanes with the same address see each other.

use super::context::{Context, Stop};
use super::warp::{Warp, bits};
use crate::code::float::{NAN64, d, f, flush, rf};
use crate::code::small::Small;
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
        let shared = context.shared.as_ptr_range();
        let (operand, second) = (self.registers.get32(atomic.operand), self.registers.get32(atomic.second));
        let mut out: Lanes<u32> = [0; LANES];
        for lane in bits(mask) {
            let (b, c) = (operand[lane], second[lane]);
            let flushes = !shared.contains(&places[lane].cast_const().cast());
            out[lane] = if width == Width::Bits16 {
                // SAFETY: as above.
                let old = unsafe { u16::update(places[lane], |old| update32(atomic.op, u32::from(old), b, c, flushes) as u16) };
                u32::from(old)
            } else {
                // SAFETY: as above.
                unsafe { u32::update(places[lane], |old| update32(atomic.op, old, b, c, flushes)) }
            };
        }
        if atomic.wanted {
            self.registers.put32(result, &out, mask);
        }
        Ok(())
    }
}

/// What an atomic on integers leaves.
macro_rules! integer {
    ($op:expr, $old:expr, $b:expr, $c:expr, $unsigned:ty, $signed:ty) => {
        match $op {
            AtomicOp::Add => $old.wrapping_add($b),
            AtomicOp::And => $old & $b,
            AtomicOp::Or => $old | $b,
            AtomicOp::Xor => $old ^ $b,
            AtomicOp::MinU => $old.min($b),
            AtomicOp::MaxU => $old.max($b),
            AtomicOp::MinS => ($old as $signed).min($b as $signed) as $unsigned,
            AtomicOp::MaxS => ($old as $signed).max($b as $signed) as $unsigned,
            AtomicOp::Exch => $b,
            AtomicOp::Cas if $old == $b => $c,
            AtomicOp::Cas => $old,
            AtomicOp::Inc if $old >= $b => 0,
            AtomicOp::Inc => $old + 1,
            AtomicOp::Dec if $old == 0 || $old > $b => $b,
            AtomicOp::Dec => $old - 1,
            // Floats have functions of their own.
            AtomicOp::AddF32 | AtomicOp::AddF64 | AtomicOp::AddSmall { .. } => $old,
        }
    };
}

/// In 32 bits or 16. `flushes`: subnormals are zeros in sums of singles, as everywhere but in shared memory.
fn update32(op: AtomicOp, old: u32, b: u32, c: u32, flushes: bool) -> u32 {
    match op {
        AtomicOp::AddF32 if flushes => flush(rf(f(flush(old)) + f(flush(b)))),
        AtomicOp::AddF32 => rf(f(old) + f(b)),
        AtomicOp::AddSmall { bfloat, packed } => Small::sum(bfloat, packed, old, b),
        op => integer!(op, old, b, c, u32, i32),
    }
}

fn update64(op: AtomicOp, old: u64, b: u64, c: u64) -> u64 {
    if op != AtomicOp::AddF64 {
        return integer!(op, old, b, c, u64, i64);
    }
    // NaN stays as it is, also a signalling one.
    let sum = d(old) + d(b);
    match (sum.is_nan(), d(b).is_nan(), d(old).is_nan()) {
        (false, ..) => sum.to_bits(),
        (true, true, _) => b,
        (true, false, true) => old,
        (true, false, false) => NAN64,
    }
}
