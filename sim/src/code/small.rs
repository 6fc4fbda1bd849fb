//! Floats of 16 bits, one or two in a register: halves and bfloats. An operation is computed in double precision, exactly or rounded to
//! odd, and rounded once more to 16 bits.

use super::convert::to_bfloat;
use super::float::{NAN16, Rounding, d, from_half, to_half};
use super::table::{LANES, Lanes};

/// What is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SmallOp {
    Neg,
    Abs,
    Add,
    Sub,
    Mul,
    Fma,
    Min,
    Max,
    Ex2,
    Tanh,
}

/// An operation with its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Small {
    pub(crate) op: SmallOp,
    /// bfloat, otherwise half.
    pub(crate) bfloat: bool,
    /// Two in 32 bits.
    pub(crate) packed: bool,
    pub(crate) flush: bool,
    pub(crate) saturate: bool,
    pub(crate) relu: bool,
    /// `.NaN` of minimum and maximum.
    pub(crate) nan: bool,
    /// `.xorsign.abs` of minimum and maximum.
    pub(crate) xorsign: bool,
}

impl Small {
    /// On all lanes.
    pub(crate) fn run(&self, a: &Lanes<u32>, b: &Lanes<u32>, c: &Lanes<u32>) -> Lanes<u32> {
        let mut out = [0; LANES];
        for i in 0..LANES {
            out[i] = self.one(a[i] & 0xffff, b[i] & 0xffff, c[i] & 0xffff);
            if self.packed {
                out[i] |= self.one(a[i] >> 16, b[i] >> 16, c[i] >> 16) << 16;
            }
        }
        out
    }

    /// The sum of one lane, as atomics need it.
    pub(crate) fn sum(bfloat: bool, packed: bool, a: u32, b: u32) -> u32 {
        let sum = Small { op: SmallOp::Add, bfloat, packed, flush: false, saturate: false, relu: false, nan: false, xorsign: false };
        let high = if packed { sum.one(a >> 16, b >> 16, 0) << 16 } else { 0 };
        sum.one(a & 0xffff, b & 0xffff, 0) | high
    }

    fn infinity(&self) -> u32 {
        if self.bfloat { 0x7f80 } else { 0x7c00 }
    }

    fn is_nan(&self, a: u32) -> bool {
        a & 0x7fff > self.infinity()
    }

    /// `.ftz`, which halves alone have, and `ex2` of bfloats.
    fn flushed(&self, a: u32) -> u32 {
        let subnormal = if self.bfloat { 0x7f } else { 0x3ff };
        if self.flush && a & 0x7fff <= subnormal { a & 0x8000 } else { a }
    }

    fn widen(&self, a: u32) -> f64 {
        f64::from(if self.bfloat { f32::from_bits(a << 16) } else { from_half(a) })
    }

    fn round(&self, value: f64) -> u32 {
        if value.is_nan() {
            NAN16
        } else if self.bfloat {
            to_bfloat(value, Rounding::Nearest)
        } else {
            to_half(value, Rounding::Nearest)
        }
    }

    fn one(&self, a: u32, b: u32, c: u32) -> u32 {
        let (a, b, c) = (self.flushed(a), self.flushed(b), self.flushed(c));
        let (x, y, z) = (self.widen(a), self.widen(b), self.widen(c));
        let result = match self.op {
            // Signs of bfloats that are NaN stay.
            SmallOp::Neg | SmallOp::Abs if self.is_nan(a) => NAN16,
            SmallOp::Neg => a ^ 0x8000,
            SmallOp::Abs => a & 0x7fff,
            SmallOp::Add => self.round(odd_sum(x, y)),
            SmallOp::Sub => self.round(odd_sum(x, -y)),
            SmallOp::Mul => self.round(x * y),
            SmallOp::Fma => self.round(odd_sum(x * y, z)),
            SmallOp::Min | SmallOp::Max => self.extreme(a, b),
            SmallOp::Ex2 => self.round(x.exp2()),
            SmallOp::Tanh => self.round(x.tanh()),
        };
        self.finish(result)
    }

    fn finish(&self, result: u32) -> u32 {
        let result = self.flushed(result);
        let one = if self.bfloat { 0x3f80 } else { 0x3c00 };
        if self.saturate {
            // NaN and negative numbers to zero.
            return if self.is_nan(result) || result & 0x8000 != 0 { 0 } else { result.min(one) };
        }
        if self.relu && result & 0x8000 != 0 && !self.is_nan(result) { 0 } else { result }
    }

    fn extreme(&self, a: u32, b: u32) -> u32 {
        let sign = (a ^ b) & 0x8000;
        let (x, y) = if self.xorsign { (a & 0x7fff, b & 0x7fff) } else { (a, b) };
        let picked = match (self.is_nan(x), self.is_nan(y)) {
            (true, true) => return NAN16,
            (true, false) | (false, true) if self.nan => return NAN16,
            (true, false) => y,
            (false, true) => x,
            (false, false) => {
                // As integers in the order of the floats, -0 below +0.
                let key = |v: u32| if v & 0x8000 != 0 { -((v & 0x7fff) as i32) - 1 } else { v as i32 };
                if (key(x) <= key(y)) == (self.op == SmallOp::Min) { x } else { y }
            }
        };
        if self.xorsign { picked | sign } else { picked }
    }
}

/// A sum whose last bit says whether anything was lost, so that rounding it again gives what rounding the exact sum would.
fn odd_sum(x: f64, y: f64) -> f64 {
    let sum = x + y;
    let part = sum - x;
    let error = (x - (sum - part)) + (y - part);
    if error == 0.0 || !error.is_finite() || sum.to_bits() & 1 == 1 {
        sum
    } else if (error > 0.0) == (sum > 0.0) {
        d(sum.to_bits() + 1)
    } else {
        d(sum.to_bits() - 1)
    }
}
