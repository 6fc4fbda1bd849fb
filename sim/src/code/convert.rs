//! `cvt` between any two types: a pass that reads the source as a wide value, a pass that rounds and narrows it.

use threadwise_ptx::ScalarType;

use super::float::{
    NAN32, Rounding, d, directed32, f, flush, from_half, narrow_nan, narrow_nan_bfloat, narrow_nan16, rd, rf, saturate16, saturate32,
    saturate64, to_half, widen,
};
use super::table::{LANES, Lanes};

/// A conversion. `E4m3x2` and `E5m2x2` stand for one such number in eight bits.
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
    /// `.relu`: negative numbers become zero.
    pub(crate) relu: bool,
    /// `.satfinite`: what is too large becomes the largest finite number.
    pub(crate) finite: bool,
    /// `.rna`: to nearest, ties away from zero.
    pub(crate) away: bool,
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
            // Bits, NaN and all.
            T::F32 if self.to == T::Tf32 => Wide::Unsigned(*a),
            T::F32 if self.flush => Wide::Float(a.map(|v| widen(flush(if f(v as u32).is_nan() { NAN32 } else { v as u32 })))),
            T::F32 => Wide::Float(a.map(|v| widen(v as u32))),
            T::F64 => Wide::Float(*a),
            // Refused when the instruction is decoded.
            T::E4m3x2 => Wide::Float(a.map(|v| from_byte(v as u32, 3, 7).to_bits())),
            T::E5m2x2 => Wide::Float(a.map(|v| from_byte(v as u32, 2, 15).to_bits())),
            T::B128 | T::F16x2 | T::Bf16x2 | T::U16x2 | T::S16x2 | T::Tf32 | T::Pred => Wide::Unsigned([0; LANES]),
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
            T::F16 => {
                let keep = self.from == T::F64;
                let bits = self.float(wide, |v, rounding| match v.is_nan() && keep {
                    true => u64::from(narrow_nan16(v.to_bits())),
                    false => u64::from(to_half(v, rounding)),
                });
                let bits = bits.map(|v| self.finish16(v, 0x7c00));
                if self.saturate { bits.map(|v| u64::from(saturate16(v as u32))) } else { bits }
            }
            T::Bf16 => {
                let keep = self.from == T::F64;
                let bits = self.float(wide, |v, rounding| match v.is_nan() && keep {
                    true => u64::from(narrow_nan_bfloat(v.to_bits())),
                    false => u64::from(to_bfloat(v, rounding)),
                });
                bits.map(|v| self.finish16(v, 0x7f80))
            }
            T::E4m3x2 => self.float(wide, |v, _| self.round_to_byte(v, 3, 7, 0x7e)),
            T::E5m2x2 => self.float(wide, |v, _| self.round_to_byte(v, 2, 15, 0x7b)),
            T::Tf32 => match wide {
                Wide::Unsigned(bits) | Wide::Signed(bits) | Wide::Float(bits) => {
                    bits.map(|v| u64::from(self.round_to_tf32(v as u32, self.rounding)))
                }
            },
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
            T::B128 | T::F16x2 | T::Bf16x2 | T::U16x2 | T::S16x2 | T::Pred => [0; LANES],
        }
    }

    /// `.relu` and `.satfinite` of 16 bits whose infinity is given.
    fn finish16(&self, bits: u64, infinity: u64) -> u64 {
        let magnitude = bits & 0x7fff;
        if self.relu && bits & 0x8000 != 0 && magnitude <= infinity {
            return 0;
        }
        if self.finite && magnitude == infinity { bits - 1 } else { bits }
    }

    /// To a float of eight bits with that many digits and that bias, whose largest number is given.
    fn round_to_byte(&self, value: f64, digits: i32, bias: i32, largest: u64) -> u64 {
        if value.is_nan() {
            return 0x7f;
        }
        let sign = if value.is_sign_negative() { 0x80 } else { 0 };
        if self.relu && sign != 0 {
            return 0;
        }
        let magnitude = value.abs();
        let exponent = ((magnitude.to_bits() >> 52) as i32 - 1023).max(1 - bias);
        if exponent > bias + 1 {
            return sign | largest;
        }
        // In units of the last place; a carry into the next power of two carries into the exponent.
        let units = (magnitude * 2f64.powi(digits - exponent)).round_ties_even() as u64;
        let bits = (((exponent + bias - 1) as u64) << digits) + units;
        sign | bits.min(largest)
    }

    fn round_to_tf32(&self, bits: u32, rounding: Rounding) -> u32 {
        let number = f(bits);
        if self.away {
            // NaN and infinity are treated as numbers.
            let rounded = bits.wrapping_add(0x1000) & !0x1fff;
            return if self.finite && rounded >> 23 & 0xff == 0xff { rounded - 0x2000 } else { rounded };
        }
        if number.is_nan() {
            return NAN32 & !0x1fff;
        }
        if self.relu && number.is_sign_negative() {
            return 0;
        }
        let rest = if rounding == Rounding::Nearest { 0xfff + (bits >> 13 & 1) } else { 0 };
        if number.is_infinite() { bits } else { (bits + rest) & !0x1fff }
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

/// A float of eight bits with that many digits and that bias.
fn from_byte(byte: u32, digits: u32, bias: i32) -> f64 {
    let (magnitude, fraction) = (byte & 0x7f, byte & ((1 << digits) - 1));
    let exponent = (magnitude >> digits) as i32;
    let value = match (digits, magnitude) {
        (3, 0x7f) | (2, 0x7d..) => f64::NAN,
        (2, 0x7c) => f64::INFINITY,
        _ if exponent == 0 => f64::from(fraction) * 2f64.powi(1 - bias - digits as i32),
        _ => f64::from(fraction + (1 << digits)) * 2f64.powi(exponent - bias - digits as i32),
    };
    if byte & 0x80 != 0 { -value } else { value }
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

pub(super) fn to_bfloat(value: f64, rounding: Rounding) -> u32 {
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
