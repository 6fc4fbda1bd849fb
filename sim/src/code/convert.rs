//! `cvt` between any two types: a pass that reads the source as a wide value, a pass that rounds and narrows it.

use threadwise_ptx::ScalarType;

use super::float::{Rounding, d, directed32, flush, from_half, narrow_nan, narrow_nan16, rd, rf, saturate32, saturate64, to_half, widen};
use super::table::{LANES, Lanes};

/// A conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Convert {
    /// Type of the result.
    pub(crate) to: ScalarType,
    /// Type of the operand.
    pub(crate) from: ScalarType,
    /// How a float result is rounded, or how a float operand is rounded to an integer.
    pub(crate) rounding: Rounding,
    /// Float to float of the same type: round to an integral value.
    pub(crate) integral: bool,
    /// `.sat`
    pub(crate) saturate: bool,
    /// `.ftz`
    pub(crate) flush: bool,
}

/// The operand read as its type.
enum Wide {
    Signed(Lanes<u64>),
    Unsigned(Lanes<u64>),
    Float(Lanes<u64>),
}

impl Convert {
    /// Converts registers zero-extended to 64 bits; so is the result, which is extended from its type to the width of its register.
    pub(crate) fn run(&self, a: &Lanes<u64>) -> Lanes<u64> {
        self.write(self.read(a))
    }

    fn read(&self, a: &Lanes<u64>) -> Wide {
        use ScalarType as T;
        match self.from {
            T::U8 | T::B8 => Wide::Unsigned(a.map(|v| v & 0xff)),
            T::U16 | T::B16 => Wide::Unsigned(a.map(|v| v & 0xffff)),
            T::U32 | T::B32 => Wide::Unsigned(a.map(|v| v & 0xffff_ffff)),
            T::U64 | T::B64 => Wide::Unsigned(*a),
            T::S8 => Wide::Signed(a.map(|v| v as i8 as i64 as u64)),
            T::S16 => Wide::Signed(a.map(|v| v as i16 as i64 as u64)),
            T::S32 => Wide::Signed(a.map(|v| v as i32 as i64 as u64)),
            T::S64 => Wide::Signed(*a),
            T::F16 => Wide::Float(a.map(|v| widen(half_bits(v as u32 & 0xffff)))),
            T::Bf16 => Wide::Float(a.map(|v| widen((v as u32) << 16))),
            T::F32 if self.flush => Wide::Float(a.map(|v| widen(flush(v as u32)))),
            T::F32 => Wide::Float(a.map(|v| widen(v as u32))),
            T::F64 => Wide::Float(*a),
            // Refused when the instruction is decoded.
            T::B128 | T::F16x2 | T::Bf16x2 | T::Pred => Wide::Unsigned([0; LANES]),
        }
    }

    fn write(&self, wide: Wide) -> Lanes<u64> {
        use ScalarType as T;
        match self.to {
            T::U8 | T::B8 => self.integer(wide, 0, u64::from(u8::MAX), |v| u64::from(v as u8)),
            T::U16 | T::B16 => self.integer(wide, 0, u64::from(u16::MAX), |v| u64::from(v as u16)),
            T::U32 | T::B32 => self.integer(wide, 0, u64::from(u32::MAX), |v| u64::from(v as u32)),
            T::U64 | T::B64 => self.integer(wide, 0, u64::MAX, |v| v as u64),
            T::S8 => self.integer(wide, i64::from(i8::MIN), i8::MAX as u64, |v| v as i8 as i64 as u64),
            T::S16 => self.integer(wide, i64::from(i16::MIN), i16::MAX as u64, |v| v as i16 as i64 as u64),
            T::S32 => self.integer(wide, i64::from(i32::MIN), i32::MAX as u64, |v| v as i32 as i64 as u64),
            T::S64 => self.integer(wide, i64::MIN, i64::MAX as u64, |v| v as i64 as u64),
            T::F16 if self.from == T::F64 => {
                self.float(wide, |v, rounding| u64::from(if v.is_nan() { narrow_nan16(v.to_bits()) } else { to_half(v, rounding) }))
            }
            T::F16 => self.float(wide, |v, rounding| u64::from(to_half(v, rounding))),
            T::Bf16 => self.float(wide, |v, rounding| u64::from(to_bfloat(v, rounding))),
            T::F32 => {
                // From doubles, NaN keeps its payload; from singles and halves it does not.
                let keep = self.from == T::F64;
                let bits = self.float(wide, |v, rounding| match v.is_nan() && keep {
                    true => u64::from(narrow_nan(v.to_bits())),
                    false => u64::from(rf(to_single(v, rounding))),
                });
                let bits = if self.flush { bits.map(|v| u64::from(flush(v as u32))) } else { bits };
                if self.saturate { bits.map(|v| u64::from(saturate32(v as u32))) } else { bits }
            }
            T::F64 => {
                let bits = self.float(wide, |v, _| rd(v, [v.to_bits(); 2]));
                if self.saturate { bits.map(saturate64) } else { bits }
            }
            // Refused when the instruction is decoded.
            T::B128 | T::F16x2 | T::Bf16x2 | T::Pred => [0; LANES],
        }
    }

    /// To an integer type of that range. Integers are cut unless `.sat`; floats always saturate, and NaN gives 0.
    #[inline(always)]
    fn integer(&self, wide: Wide, min: i64, max: u64, cut: impl Fn(i128) -> u64) -> Lanes<u64> {
        let clamp = |v: i128| cut(v.clamp(i128::from(min), i128::from(max)));
        match wide {
            Wide::Unsigned(a) if self.saturate => a.map(|v| clamp(i128::from(v))),
            Wide::Unsigned(a) => a.map(|v| cut(i128::from(v))),
            Wide::Signed(a) if self.saturate => a.map(|v| clamp(i128::from(v as i64))),
            Wide::Signed(a) => a.map(|v| cut(i128::from(v as i64))),
            Wide::Float(a) => a.map(|v| match d(v).is_nan() {
                true => cut(self.nan_integer()),
                false => clamp(round_integral(d(v), self.rounding) as i128),
            }),
        }
    }

    /// What NaN becomes: 0, as the ISA has it, but the highest bit alone on hardware where one of the types has 64 bits.
    fn nan_integer(&self) -> i128 {
        if self.from.bits() == 64 || self.to.bits() == 64 { 1 << (self.to.bits() - 1) } else { 0 }
    }

    #[inline(always)]
    fn float(&self, wide: Wide, round: impl Fn(f64, Rounding) -> u64) -> Lanes<u64> {
        match wide {
            Wide::Float(a) if self.integral => {
                a.map(|v| round(if d(v).is_nan() { d(v) } else { round_integral(d(v), self.rounding) }, Rounding::Nearest))
            }
            Wide::Float(a) => a.map(|v| round(d(v), self.rounding)),
            Wide::Unsigned(a) => a.map(|v| round(odd_double(i128::from(v), self.to, self.rounding), self.rounding)),
            Wide::Signed(a) => a.map(|v| round(odd_double(i128::from(v as i64), self.to, self.rounding), self.rounding)),
        }
    }
}

/// A half as bits of a single, NaN with its payload.
fn half_bits(half: u32) -> u32 {
    let bits = from_half(half).to_bits();
    if half & 0x7fff > 0x7c00 { (half & 0x8000) << 16 | 0x7f80_0000 | (half & 0x3ff) << 13 } else { bits }
}

/// To an integral value.
pub(crate) fn round_integral(value: f64, rounding: Rounding) -> f64 {
    match rounding {
        Rounding::Nearest => value.round_ties_even(),
        Rounding::Zero => value.trunc(),
        Rounding::Down => value.floor(),
        Rounding::Up => value.ceil(),
    }
}

/// An integer as a double: rounded as asked where the double is the result, rounded to odd where it is rounded once more, so that the
/// second rounding sees on which side of a tie the integer lies.
fn odd_double(value: i128, to: ScalarType, rounding: Rounding) -> f64 {
    let nearest = value as f64;
    let rest = value - nearest as i128;
    if rest == 0 {
        return nearest;
    }
    if to == ScalarType::F64 {
        return super::float::directed64(nearest, rest as f64, rounding);
    }
    if nearest.to_bits() & 1 == 1 {
        nearest
    } else if rest > 0 {
        nearest.next_up()
    } else {
        nearest.next_down()
    }
}

fn to_single(value: f64, rounding: Rounding) -> f32 {
    let nearest = value as f32;
    if nearest.is_infinite() && value.is_finite() {
        let error = if nearest > 0.0 { -1.0 } else { 1.0 };
        return directed32(nearest, error, rounding);
    }
    directed32(nearest, value - f64::from(nearest), rounding)
}

fn to_bfloat(value: f64, rounding: Rounding) -> u32 {
    if value.is_nan() {
        return 0x7fff;
    }
    // Towards zero with a sticky bit, then once more to eight bits.
    let cut = to_single(value, Rounding::Zero);
    let bits = cut.to_bits() | u32::from(f64::from(cut) != value);
    let (low, high) = (bits & 0xffff, bits >> 16);
    let negative = high & 0x8000 != 0;
    let up = match rounding {
        Rounding::Nearest => low > 0x8000 || (low == 0x8000 && high & 1 == 1),
        Rounding::Zero => false,
        Rounding::Down => negative && low != 0,
        Rounding::Up => !negative && low != 0,
    };
    high + u32::from(up)
}
