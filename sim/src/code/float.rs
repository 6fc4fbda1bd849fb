//! Floats as PTX computes them. What NaNs look like is not in the ISA: it was read off an H200, see `tests/data/instructions_h200.txt`.

/// The NaN that single-precision instructions give.
pub(crate) const NAN32: u32 = 0x7fff_ffff;
/// The NaN that half-precision instructions give.
pub(crate) const NAN16: u32 = 0x7fff;
/// The NaN that double-precision instructions give when no operand is one.
pub(crate) const NAN64: u64 = 0xfff8_0000_0000_0000;
/// Makes a NaN quiet.
const QUIET64: u64 = 1 << 51;

#[inline(always)]
pub(crate) fn f(bits: u32) -> f32 {
    f32::from_bits(bits)
}

#[inline(always)]
pub(crate) fn d(bits: u64) -> f64 {
    f64::from_bits(bits)
}

/// Result bits of a single-precision instruction.
#[inline(always)]
pub(crate) fn rf(value: f32) -> u32 {
    if value.is_nan() { NAN32 } else { value.to_bits() }
}

/// Result bits of a double-precision instruction: the first of the operands that is NaN is handed on, quiet. Sums and products look at
/// their last operand first, quotients at their first.
#[inline(always)]
pub(crate) fn rd(value: f64, operands: [u64; 2]) -> u64 {
    if value.is_nan() { nan64(operands) } else { value.to_bits() }
}

/// The NaN of a double-precision instruction that looks at operands in this order.
#[inline(always)]
pub(crate) fn nan64([first, second]: [u64; 2]) -> u64 {
    if d(first).is_nan() {
        first | QUIET64
    } else if d(second).is_nan() {
        second | QUIET64
    } else {
        NAN64
    }
}

/// Result bits of a double-precision fused multiply-add; NaN is looked for in the second operand, the third, the first.
#[inline(always)]
pub(crate) fn fma64(value: f64, a: u64, b: u64, c: u64) -> u64 {
    if !value.is_nan() {
        value.to_bits()
    } else if d(b).is_nan() {
        b | QUIET64
    } else {
        nan64([c, a])
    }
}

/// `neg` of a single: NaN has no sign.
#[inline(always)]
pub(crate) fn neg32(a: u32) -> u32 {
    if f(a).is_nan() { NAN32 } else { a ^ 1 << 31 }
}

/// `abs` of a single.
#[inline(always)]
pub(crate) fn abs32(a: u32) -> u32 {
    if f(a).is_nan() { NAN32 } else { a & !(1 << 31) }
}

/// `neg` of a double: NaN keeps its sign and becomes quiet.
#[inline(always)]
pub(crate) fn neg64(a: u64) -> u64 {
    if d(a).is_nan() { a | QUIET64 } else { a ^ 1 << 63 }
}

/// `abs` of a double.
#[inline(always)]
pub(crate) fn abs64(a: u64) -> u64 {
    if d(a).is_nan() { a | QUIET64 } else { a & !(1 << 63) }
}

/// A single as a double; NaN keeps its payload and becomes quiet.
#[inline(always)]
pub(crate) fn widen(a: u32) -> u64 {
    if f(a).is_nan() {
        u64::from(a & 1 << 31) << 32 | 0x7ff8_0000_0000_0000 | u64::from(a & 0x7f_ffff) << 29
    } else {
        f64::from(f(a)).to_bits()
    }
}

/// A NaN as a single with what fits of its payload.
#[inline(always)]
pub(crate) fn narrow_nan(a: u64) -> u32 {
    (a >> 32) as u32 & 1 << 31 | 0x7fc0_0000 | (a >> 29) as u32 & 0x7f_ffff
}

/// A NaN as a half with what fits of its payload.
#[inline(always)]
pub(crate) fn narrow_nan16(a: u64) -> u32 {
    (a >> 48) as u32 & 0x8000 | 0x7e00 | (a >> 42) as u32 & 0x3ff
}

/// A NaN as a bfloat with what fits of its payload.
#[inline(always)]
pub(crate) fn narrow_nan_bfloat(a: u64) -> u32 {
    narrow_nan(a) >> 16
}

/// `.sat` of a half.
#[inline(always)]
pub(crate) fn saturate16(bits: u32) -> u32 {
    if bits > 0x7c00 { 0 } else { bits.min(0x3c00) }
}

/// `.ftz`: subnormals become zeros of their sign.
#[inline(always)]
pub(crate) fn flush(bits: u32) -> u32 {
    if bits & 0x7f80_0000 == 0 { bits & 0x8000_0000 } else { bits }
}

/// `.sat`: to [0, 1], NaN to +0.
#[inline(always)]
pub(crate) fn saturate32(bits: u32) -> u32 {
    let value = f(bits);
    if value >= 1.0 {
        1f32.to_bits()
    } else if value > 0.0 {
        bits
    } else {
        0
    }
}

/// `.sat`: to [0, 1], NaN to +0.
#[inline(always)]
pub(crate) fn saturate64(bits: u64) -> u64 {
    let value = d(bits);
    if value >= 1.0 {
        1f64.to_bits()
    } else if value > 0.0 {
        bits
    } else {
        0
    }
}

/// `min`: the number if there is one; -0 is less than +0.
#[inline(always)]
pub(crate) fn min32(a: u32, b: u32) -> u32 {
    let (x, y) = (f(a), f(b));
    if x.is_nan() {
        if y.is_nan() { NAN32 } else { b }
    } else if y.is_nan() || x < y {
        a
    } else if y < x {
        b
    } else {
        a | b
    }
}

/// `max`: the number if there is one; +0 is greater than -0.
#[inline(always)]
pub(crate) fn max32(a: u32, b: u32) -> u32 {
    let (x, y) = (f(a), f(b));
    if x.is_nan() {
        if y.is_nan() { NAN32 } else { b }
    } else if y.is_nan() || x > y {
        a
    } else if y > x {
        b
    } else {
        a & b
    }
}

/// `min` in double precision.
#[inline(always)]
pub(crate) fn min64(a: u64, b: u64) -> u64 {
    let (x, y) = (d(a), d(b));
    if x.is_nan() {
        if y.is_nan() { b | QUIET64 } else { b }
    } else if y.is_nan() || x < y {
        a
    } else if y < x {
        b
    } else {
        a | b
    }
}

/// `max` in double precision.
#[inline(always)]
pub(crate) fn max64(a: u64, b: u64) -> u64 {
    let (x, y) = (d(a), d(b));
    if x.is_nan() {
        if y.is_nan() { b | QUIET64 } else { b }
    } else if y.is_nan() || x > y {
        a
    } else if y > x {
        b
    } else {
        a & b
    }
}

/// Bits of an `f16` as an `f32`, exactly.
#[inline(always)]
pub(crate) fn from_half(half: u32) -> f32 {
    let sign = (half & 0x8000) << 16;
    let exponent = half >> 10 & 0x1f;
    let mantissa = half & 0x3ff;
    match exponent {
        // Zeros and subnormals: a multiple of 2^-24.
        0 => f32::from_bits((mantissa as f32 * f32::from_bits(0x3380_0000)).to_bits() | sign),
        0x1f => f32::from_bits(sign | 0x7f80_0000 | mantissa << 13),
        1..=0x1e => f32::from_bits(sign | (exponent + 112) << 23 | mantissa << 13),
        _ => f32::NAN,
    }
}

/// How results that do not fit are rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rounding {
    /// To nearest, ties to even.
    Nearest,
    /// Towards zero.
    Zero,
    /// Towards minus infinity.
    Down,
    /// Towards plus infinity.
    Up,
}

/// A double as bits of an `f16`.
pub(crate) fn to_half(value: f64, rounding: Rounding) -> u32 {
    if value.is_nan() {
        return NAN16;
    }
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    let magnitude = value.abs();
    // The distance of representable values around the magnitude, never below that of subnormals.
    let exponent = ((magnitude.to_bits() >> 52) as i32 - 1023).max(-14);
    let scaled = if magnitude.is_finite() { magnitude * 2f64.powi(10 - exponent) } else { f64::INFINITY };
    let away = match rounding {
        Rounding::Nearest => scaled.round_ties_even(),
        Rounding::Zero => scaled.floor(),
        Rounding::Down if sign != 0 => scaled.ceil(),
        Rounding::Down => scaled.floor(),
        Rounding::Up if sign == 0 => scaled.ceil(),
        Rounding::Up => scaled.floor(),
    };
    let rounded = away * 2f64.powi(exponent - 10);
    if rounded > 65504.0 {
        let to_largest = magnitude.is_finite()
            && match rounding {
                Rounding::Nearest => false,
                Rounding::Zero => true,
                Rounding::Down => sign == 0,
                Rounding::Up => sign != 0,
            };
        return sign | if to_largest { 0x7bff } else { 0x7c00 };
    }
    if rounded < 2f64.powi(-14) {
        return sign | (rounded * 2f64.powi(24)) as u32;
    }
    let bits = rounded.to_bits();
    sign | ((((bits >> 52) as u32 + 15 - 1023) << 10) | (bits >> 42 & 0x3ff) as u32)
}

/// Rounds the exact value `nearest + error`, whose nearest float and sign of the rest are given, as `rounding` says.
#[inline]
pub(crate) fn directed32(nearest: f32, error: f64, rounding: Rounding) -> f32 {
    if nearest.is_nan() || error == 0.0 || error.is_nan() {
        return nearest;
    }
    let down = error < 0.0;
    match rounding {
        Rounding::Nearest => nearest,
        Rounding::Down if down => nearest.next_down(),
        Rounding::Up if !down => nearest.next_up(),
        Rounding::Zero if down && nearest > 0.0 => nearest.next_down(),
        Rounding::Zero if !down && nearest < 0.0 => nearest.next_up(),
        Rounding::Down | Rounding::Up | Rounding::Zero => nearest,
    }
}

/// [`directed32`] in double precision.
#[inline]
pub(crate) fn directed64(nearest: f64, error: f64, rounding: Rounding) -> f64 {
    if nearest.is_nan() || error == 0.0 || error.is_nan() {
        return nearest;
    }
    let down = error < 0.0;
    match rounding {
        Rounding::Nearest => nearest,
        Rounding::Down if down => nearest.next_down(),
        Rounding::Up if !down => nearest.next_up(),
        Rounding::Zero if down && nearest > 0.0 => nearest.next_down(),
        Rounding::Zero if !down && nearest < 0.0 => nearest.next_up(),
        Rounding::Down | Rounding::Up | Rounding::Zero => nearest,
    }
}
