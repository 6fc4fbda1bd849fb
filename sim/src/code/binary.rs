//! Operations with two operands.

use super::float::{NAN32, Rounding, d, f, from_half, max32, max64, min32, min64, nan64, rd, rf, to_half};
use super::table::table;

table! {
    /// 32 and 32 bits to 32 bits.
    Binary32: map2(a: u32, b: u32) -> u32 {
        Add = |a: u32, b: u32| a.wrapping_add(b);
        Sub = |a: u32, b: u32| a.wrapping_sub(b);
        Mul = |a: u32, b: u32| a.wrapping_mul(b);
        And = |a: u32, b: u32| a & b;
        Or = |a: u32, b: u32| a | b;
        Xor = |a: u32, b: u32| a ^ b;
        MulHiU = |a: u32, b: u32| ((u64::from(a) * u64::from(b)) >> 32) as u32;
        MulHiS = |a: u32, b: u32| ((i64::from(a as i32) * i64::from(b as i32)) >> 32) as u32;
        DivU = |a: u32, b: u32| a.checked_div(b).unwrap_or(u32::MAX);
        DivS = |a: u32, b: u32| if b == 0 { u32::MAX } else { (a as i32).wrapping_div(b as i32) as u32 };
        RemU = |a: u32, b: u32| a.checked_rem(b).unwrap_or(a);
        RemS = |a: u32, b: u32| if b == 0 { a } else { (a as i32).wrapping_rem(b as i32) as u32 };
        MinU = |a: u32, b: u32| a.min(b);
        MinS = |a: u32, b: u32| (a as i32).min(b as i32) as u32;
        MaxU = |a: u32, b: u32| a.max(b);
        MaxS = |a: u32, b: u32| (a as i32).max(b as i32) as u32;
        AddSat = |a: u32, b: u32| (a as i32).saturating_add(b as i32) as u32;
        SubSat = |a: u32, b: u32| (a as i32).saturating_sub(b as i32) as u32;
        Shl = |a: u32, b: u32| if b < 32 { a << b } else { 0 };
        ShrU = |a: u32, b: u32| if b < 32 { a >> b } else { 0 };
        ShrS = |a: u32, b: u32| (a as i32 >> b.min(31)) as u32;
        Add16 = |a: u32, b: u32| a.wrapping_add(b) & 0xffff;
        Sub16 = |a: u32, b: u32| a.wrapping_sub(b) & 0xffff;
        Mul16 = |a: u32, b: u32| a.wrapping_mul(b) & 0xffff;
        MulHiU16 = |a: u32, b: u32| a.wrapping_mul(b) >> 16;
        MulHiS16 = |a: u32, b: u32| ((i32::from(a as i16) * i32::from(b as i16)) >> 16) as u32 & 0xffff;
        MulWideU16 = |a: u32, b: u32| a.wrapping_mul(b);
        MulWideS16 = |a: u32, b: u32| (i32::from(a as i16) * i32::from(b as i16)) as u32;
        DivU16 = |a: u32, b: u32| a.checked_div(b).unwrap_or(0xffff);
        DivS16 = |a: u32, b: u32| if b == 0 { 0xffff } else { u32::from((a as i16).wrapping_div(b as i16) as u16) };
        RemU16 = |a: u32, b: u32| a.checked_rem(b).unwrap_or(a);
        RemS16 = |a: u32, b: u32| if b == 0 { a } else { u32::from((a as i16).wrapping_rem(b as i16) as u16) };
        MinS16 = |a: u32, b: u32| u32::from((a as i16).min(b as i16) as u16);
        MaxS16 = |a: u32, b: u32| u32::from((a as i16).max(b as i16) as u16);
        Shl16 = |a: u32, b: u32| if b < 16 { (a << b) & 0xffff } else { 0 };
        ShrU16 = |a: u32, b: u32| if b < 16 { a >> b } else { 0 };
        ShrS16 = |a: u32, b: u32| u32::from((a as i16 >> b.min(15)) as u16);
        Pack16 = |a: u32, b: u32| a & 0xffff | b << 16;
        Pack8 = |a: u32, b: u32| a & 0xff | (b & 0xff) << 8;
        MaskClamp = |a: u32, b: u32| (bits32(b) as u64).checked_shl(a).unwrap_or(0) as u32;
        MaskWrap = |a: u32, b: u32| bits32(b & 31) << (a & 31);
        AddF32 = |a: u32, b: u32| rf(f(a) + f(b));
        SubF32 = |a: u32, b: u32| rf(f(a) - f(b));
        MulF32 = |a: u32, b: u32| rf(f(a) * f(b));
        DivF32 = |a: u32, b: u32| rf(f(a) / f(b));
        MinF32 = min32;
        MaxF32 = max32;
        MinNanF32 = |a: u32, b: u32| if f(a).is_nan() || f(b).is_nan() { NAN32 } else { min32(a, b) };
        MaxNanF32 = |a: u32, b: u32| if f(a).is_nan() || f(b).is_nan() { NAN32 } else { max32(a, b) };
        CopysignF32 = |a: u32, b: u32| a & 0x8000_0000 | b & 0x7fff_ffff;
        AddF16 = |a: u32, b: u32| to_half(f64::from(from_half(a)) + f64::from(from_half(b)), Rounding::Nearest);
        SubF16 = |a: u32, b: u32| to_half(f64::from(from_half(a)) - f64::from(from_half(b)), Rounding::Nearest);
        MulF16 = |a: u32, b: u32| to_half(f64::from(from_half(a)) * f64::from(from_half(b)), Rounding::Nearest);
        MinF16 = |a: u32, b: u32| to_half(f64::from(f(min32(from_half(a).to_bits(), from_half(b).to_bits()))), Rounding::Nearest);
        MaxF16 = |a: u32, b: u32| to_half(f64::from(f(max32(from_half(a).to_bits(), from_half(b).to_bits()))), Rounding::Nearest);
    }
}

/// The lowest `n` bits.
#[inline(always)]
pub(super) fn bits32(n: u32) -> u32 {
    if n < 32 { (1 << n) - 1 } else { u32::MAX }
}

/// The lowest `n` bits.
#[inline(always)]
pub(super) fn bits64(n: u32) -> u64 {
    if n < 64 { (1 << n) - 1 } else { u64::MAX }
}

table! {
    /// 64 and 64 bits to 64 bits.
    Binary64: map2(a: u64, b: u64) -> u64 {
        Add = |a: u64, b: u64| a.wrapping_add(b);
        Sub = |a: u64, b: u64| a.wrapping_sub(b);
        Mul = |a: u64, b: u64| a.wrapping_mul(b);
        And = |a: u64, b: u64| a & b;
        Or = |a: u64, b: u64| a | b;
        Xor = |a: u64, b: u64| a ^ b;
        MulHiU = |a: u64, b: u64| ((u128::from(a) * u128::from(b)) >> 64) as u64;
        MulHiS = |a: u64, b: u64| ((i128::from(a as i64) * i128::from(b as i64)) >> 64) as u64;
        DivU = |a: u64, b: u64| a.checked_div(b).unwrap_or(u64::MAX);
        DivS = |a: u64, b: u64| if b == 0 { u64::MAX } else { (a as i64).wrapping_div(b as i64) as u64 };
        RemU = |a: u64, b: u64| a.checked_rem(b).unwrap_or(a);
        RemS = |a: u64, b: u64| if b == 0 { a } else { (a as i64).wrapping_rem(b as i64) as u64 };
        MinU = |a: u64, b: u64| a.min(b);
        MinS = |a: u64, b: u64| (a as i64).min(b as i64) as u64;
        MaxU = |a: u64, b: u64| a.max(b);
        MaxS = |a: u64, b: u64| (a as i64).max(b as i64) as u64;
        AddF64 = |a: u64, b: u64| rd(d(a) + d(b), [b, a]);
        SubF64 = |a: u64, b: u64| rd(d(a) - d(b), [b, a]);
        MulF64 = |a: u64, b: u64| rd(d(a) * d(b), [b, a]);
        DivF64 = |a: u64, b: u64| rd(d(a) / d(b), [a, b]);
        MinF64 = min64;
        MaxF64 = max64;
        MinNanF64 = |a: u64, b: u64| if d(a).is_nan() || d(b).is_nan() { nan64([a, b]) } else { min64(a, b) };
        MaxNanF64 = |a: u64, b: u64| if d(a).is_nan() || d(b).is_nan() { nan64([a, b]) } else { max64(a, b) };
        CopysignF64 = |a: u64, b: u64| a & 1 << 63 | b & !(1 << 63);
    }
}

table! {
    /// 64 and 32 bits to 64 bits.
    Shift64: map2(a: u64, b: u32) -> u64 {
        Shl = |a: u64, b: u32| if b < 64 { a << b } else { 0 };
        ShrU = |a: u64, b: u32| if b < 64 { a >> b } else { 0 };
        ShrS = |a: u64, b: u32| (a as i64 >> b.min(63)) as u64;
    }
}

table! {
    /// 32 and 32 bits to 64 bits.
    Join: map2(a: u32, b: u32) -> u64 {
        Pack = |a: u32, b: u32| u64::from(a) | u64::from(b) << 32;
        MulWideU = |a: u32, b: u32| u64::from(a) * u64::from(b);
        MulWideS = |a: u32, b: u32| (i64::from(a as i32) * i64::from(b as i32)) as u64;
    }
}
