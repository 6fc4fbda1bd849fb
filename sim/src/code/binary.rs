//! Operations with two operands.

use super::float::{NAN32, abs32, d, f, max32, max64, min32, min64, nan64, rd, rf};
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
        MinXorsignF32 = |a: u32, b: u32| min32(abs32(a), abs32(b)) ^ (a ^ b) & 0x8000_0000;
        MaxXorsignF32 = |a: u32, b: u32| max32(abs32(a), abs32(b)) ^ (a ^ b) & 0x8000_0000;
        MinNanXorsignF32 = |a: u32, b: u32| if f(a).is_nan() || f(b).is_nan() { NAN32 } else { min32(abs32(a), abs32(b)) ^ (a ^ b) & 0x8000_0000 };
        MaxNanXorsignF32 = |a: u32, b: u32| if f(a).is_nan() || f(b).is_nan() { NAN32 } else { max32(abs32(a), abs32(b)) ^ (a ^ b) & 0x8000_0000 };
        AddX2 = |a: u32, b: u32| (a.wrapping_add(b) & 0xffff) | ((a >> 16).wrapping_add(b >> 16) << 16);
        MinUX2 = |a: u32, b: u32| pair(a, b, |x, y| x.min(y));
        MaxUX2 = |a: u32, b: u32| pair(a, b, |x, y| x.max(y));
        MinSX2 = |a: u32, b: u32| pair(a, b, |x, y| (x as i16).min(y as i16) as u16);
        MaxSX2 = |a: u32, b: u32| pair(a, b, |x, y| (x as i16).max(y as i16) as u16);
        MinReluSX2 = |a: u32, b: u32| pair(a, b, |x, y| (x as i16).min(y as i16).max(0) as u16);
        MaxReluSX2 = |a: u32, b: u32| pair(a, b, |x, y| (x as i16).max(y as i16).max(0) as u16);
        MinReluS = |a: u32, b: u32| (a as i32).min(b as i32).max(0) as u32;
        MaxReluS = |a: u32, b: u32| (a as i32).max(b as i32).max(0) as u32;
        Mul24LoU = |a: u32, b: u32| product24(a, b) as u32;
        Mul24HiU = |a: u32, b: u32| (product24(a, b) >> 16) as u32;
        Mul24LoS = |a: u32, b: u32| product24s(a, b) as u32;
        Mul24HiS = |a: u32, b: u32| (product24s(a, b) >> 16) as u32;
        SzextClampU = |a: u32, b: u32| a & bits32(b);
        SzextClampS = |a: u32, b: u32| sign_extend(a, b);
        SzextWrapU = |a: u32, b: u32| a & bits32(b & 31);
        SzextWrapS = |a: u32, b: u32| sign_extend(a, b & 31);
        CopysignF32 = |a: u32, b: u32| a & 0x8000_0000 | b & 0x7fff_ffff;
    }
}

/// On both halves.
#[inline(always)]
fn pair(a: u32, b: u32, f: impl Fn(u16, u16) -> u16) -> u32 {
    u32::from(f(a as u16, b as u16)) | u32::from(f((a >> 16) as u16, (b >> 16) as u16)) << 16
}

/// The product of the lower 24 bits.
#[inline(always)]
pub(super) fn product24(a: u32, b: u32) -> u64 {
    u64::from(a & 0xff_ffff) * u64::from(b & 0xff_ffff)
}

/// [`product24`] of signed numbers.
#[inline(always)]
pub(super) fn product24s(a: u32, b: u32) -> i64 {
    i64::from((a << 8) as i32 >> 8) * i64::from((b << 8) as i32 >> 8)
}

/// The lowest `n` bits with their sign.
#[inline(always)]
fn sign_extend(a: u32, n: u32) -> u32 {
    match n {
        0 => 0,
        1..=31 => (((a << (32 - n)) as i32) >> (32 - n)) as u32,
        _ => a,
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
