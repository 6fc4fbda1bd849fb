//! Operations with three and four operands.

use super::binary::{bits32, bits64, product24, product24s};
use super::float::{d, f, fma64, rf};
use super::table::table;

table! {
    /// Three times 32 bits to 32 bits.
    Ternary32: map3(a: u32, b: u32, c: u32) -> u32 {
        MadLo = |a: u32, b: u32, c: u32| a.wrapping_mul(b).wrapping_add(c);
        MadHiU = |a: u32, b: u32, c: u32| (((u64::from(a) * u64::from(b)) >> 32) as u32).wrapping_add(c);
        MadHiS = |a: u32, b: u32, c: u32| (((i64::from(a as i32) * i64::from(b as i32)) >> 32) as u32).wrapping_add(c);
        MadHiSatS = |a: u32, b: u32, c: u32| (((i64::from(a as i32) * i64::from(b as i32)) >> 32) as i32).saturating_add(c as i32) as u32;
        MadLo16 = |a: u32, b: u32, c: u32| a.wrapping_mul(b).wrapping_add(c) & 0xffff;
        MadHiU16 = |a: u32, b: u32, c: u32| (a.wrapping_mul(b) >> 16).wrapping_add(c) & 0xffff;
        MadHiS16 = |a: u32, b: u32, c: u32| (((i32::from(a as i16) * i32::from(b as i16)) >> 16) as u32).wrapping_add(c) & 0xffff;
        MadWideU16 = |a: u32, b: u32, c: u32| a.wrapping_mul(b).wrapping_add(c);
        MadWideS16 = |a: u32, b: u32, c: u32| ((i32::from(a as i16) * i32::from(b as i16)) as u32).wrapping_add(c);
        SadU = |a: u32, b: u32, c: u32| c.wrapping_add(a.abs_diff(b));
        SadS = |a: u32, b: u32, c: u32| c.wrapping_add((a as i32).abs_diff(b as i32));
        BfeU = |a: u32, b: u32, c: u32| bfe_u32(a, b & 0xff, c & 0xff);
        BfeS = |a: u32, b: u32, c: u32| bfe_s32(a, b & 0xff, c & 0xff);
        ShfLWrap = |a: u32, b: u32, c: u32| ((join(a, b) << (c & 31)) >> 32) as u32;
        ShfLClamp = |a: u32, b: u32, c: u32| ((join(a, b) << c.min(32)) >> 32) as u32;
        ShfRWrap = |a: u32, b: u32, c: u32| (join(a, b) >> (c & 31)) as u32;
        ShfRClamp = |a: u32, b: u32, c: u32| (join(a, b) >> c.min(32)) as u32;
        Prmt = |a: u32, b: u32, c: u32| prmt(a, b, [c, c >> 4, c >> 8, c >> 12]);
        PrmtF4e = |a: u32, b: u32, c: u32| { let s = c & 3; prmt(a, b, [s, s + 1, s + 2, s + 3]) };
        PrmtB4e = |a: u32, b: u32, c: u32| { let s = c & 3; prmt(a, b, [s, (s + 7) & 7, (s + 6) & 7, (s + 5) & 7]) };
        PrmtRc8 = |a: u32, b: u32, c: u32| prmt(a, b, [c & 3; 4]);
        PrmtEcl = |a: u32, b: u32, c: u32| { let s = c & 3; prmt(a, b, [s, s.max(1), s.max(2), 3]) };
        PrmtEcr = |a: u32, b: u32, c: u32| { let s = c & 3; prmt(a, b, [0, s.min(1), s.min(2), s]) };
        PrmtRc16 = |a: u32, b: u32, c: u32| { let s = (c & 1) * 2; prmt(a, b, [s, s + 1, s, s + 1]) };
        FmaF32 = |a: u32, b: u32, c: u32| rf(f(a).mul_add(f(b), f(c)));
        SadU16 = |a: u32, b: u32, c: u32| c.wrapping_add(a.abs_diff(b)) & 0xffff;
        SadS16 = |a: u32, b: u32, c: u32| c.wrapping_add(u32::from((a as i16).abs_diff(b as i16))) & 0xffff;
        Mad24LoU = |a: u32, b: u32, c: u32| (product24(a, b) as u32).wrapping_add(c);
        Mad24HiU = |a: u32, b: u32, c: u32| ((product24(a, b) >> 16) as u32).wrapping_add(c);
        Mad24LoS = |a: u32, b: u32, c: u32| (product24s(a, b) as u32).wrapping_add(c);
        Mad24HiS = |a: u32, b: u32, c: u32| ((product24s(a, b) >> 16) as u32).wrapping_add(c);
        Mad24HiSatS = |a: u32, b: u32, c: u32| ((product24s(a, b) >> 16) as i32).saturating_add(c as i32) as u32;
        Dp4aUU = |a: u32, b: u32, c: u32| dot4(a, b, c, false, false);
        Dp4aUS = |a: u32, b: u32, c: u32| dot4(a, b, c, false, true);
        Dp4aSU = |a: u32, b: u32, c: u32| dot4(a, b, c, true, false);
        Dp4aSS = |a: u32, b: u32, c: u32| dot4(a, b, c, true, true);
        Dp2aLoUU = |a: u32, b: u32, c: u32| dot2(a, b, c, false, false);
        Dp2aLoUS = |a: u32, b: u32, c: u32| dot2(a, b, c, false, true);
        Dp2aLoSU = |a: u32, b: u32, c: u32| dot2(a, b, c, true, false);
        Dp2aLoSS = |a: u32, b: u32, c: u32| dot2(a, b, c, true, true);
        Dp2aHiUU = |a: u32, b: u32, c: u32| dot2(a, b >> 16, c, false, false);
        Dp2aHiUS = |a: u32, b: u32, c: u32| dot2(a, b >> 16, c, false, true);
        Dp2aHiSU = |a: u32, b: u32, c: u32| dot2(a, b >> 16, c, true, false);
        Dp2aHiSS = |a: u32, b: u32, c: u32| dot2(a, b >> 16, c, true, true);
        DifferenceU4 = |a: u32, b: u32, _: u32| differences(a, b, false).fold(0, |all, (i, x)| all | (x & 0xff) << (8 * i));
        DifferenceS4 = |a: u32, b: u32, _: u32| differences(a, b, true).fold(0, |all, (i, x)| all | (x & 0xff) << (8 * i));
        DifferenceAddU4 = |a: u32, b: u32, c: u32| differences(a, b, false).fold(c, |sum, (_, x)| sum.wrapping_add(x));
        DifferenceAddS4 = |a: u32, b: u32, c: u32| differences(a, b, true).fold(c, |sum, (_, x)| sum.wrapping_add(x));
        Fns = find_nth_set;
        SelectNegative = |a: u32, b: u32, c: u32| if (c as i32) >= 0 { a } else { b };
        SelectNegativeF32 = |a: u32, b: u32, c: u32| if f(c) >= 0.0 { a } else { b };
    }
}

/// Byte `i`, extended.
#[inline(always)]
fn byte(a: u32, i: u32, signed: bool) -> i32 {
    let byte = (a >> (8 * i)) as u8;
    if signed { i32::from(byte as i8) } else { i32::from(byte) }
}

/// The sum of the products of bytes, and `c`.
#[inline(always)]
fn dot4(a: u32, b: u32, c: u32, signed_a: bool, signed_b: bool) -> u32 {
    (0..4).fold(c, |sum, i| sum.wrapping_add((byte(a, i, signed_a) * byte(b, i, signed_b)) as u32))
}

/// The sum of the products of 16-bit numbers and the lower two bytes, and `c`.
#[inline(always)]
fn dot2(a: u32, b: u32, c: u32, signed_a: bool, signed_b: bool) -> u32 {
    (0..2).fold(c, |sum, i| {
        let half = (a >> (16 * i)) as u16;
        let half = if signed_a { i32::from(half as i16) } else { i32::from(half) };
        sum.wrapping_add(half.wrapping_mul(byte(b, i, signed_b)) as u32)
    })
}

/// Absolute differences of bytes.
fn differences(a: u32, b: u32, signed: bool) -> impl Iterator<Item = (u32, u32)> {
    (0..4).map(move |i| (i, byte(a, i, signed).abs_diff(byte(b, i, signed))))
}

/// The place of the `offset`-th set bit of `mask` from `base` on: upwards, downwards where it is negative, `base` itself for 0.
fn find_nth_set(mask: u32, base: u32, offset: u32) -> u32 {
    let offset = offset as i32;
    if offset == i32::MIN {
        // As hardware has it.
        return 0;
    }
    if base > 31 {
        return u32::MAX;
    }
    if offset == 0 {
        return if mask >> base & 1 != 0 { base } else { u32::MAX };
    }
    let set = |&i: &u32| mask >> i & 1 != 0;
    let nth = offset.unsigned_abs() as usize - 1;
    let found = if offset > 0 { (base..32).filter(set).nth(nth) } else { (0..=base).rev().filter(set).nth(nth) };
    found.unwrap_or(u32::MAX)
}

#[inline(always)]
fn join(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

#[inline(always)]
fn prmt(a: u32, b: u32, selectors: [u32; 4]) -> u32 {
    let bytes = join(a, b);
    let mut out = 0;
    for (i, selector) in selectors.into_iter().enumerate() {
        let byte = (bytes >> (8 * (selector & 7))) as u8;
        let byte = if selector & 8 != 0 { (byte as i8 >> 7) as u8 } else { byte };
        out |= u32::from(byte) << (8 * i);
    }
    out
}

#[inline(always)]
fn bfe_u32(a: u32, position: u32, length: u32) -> u32 {
    a.checked_shr(position).unwrap_or(0) & bits32(length)
}

#[inline(always)]
fn bfe_s32(a: u32, position: u32, length: u32) -> u32 {
    if length == 0 {
        return 0;
    }
    let sign = a >> (position + length - 1).min(31) & 1;
    let valid = bits32(length.min(32u32.saturating_sub(position)));
    bfe_u32(a, position, length) & valid | if sign != 0 { !valid } else { 0 }
}

#[inline(always)]
fn bfe_u64(a: u64, position: u32, length: u32) -> u64 {
    a.checked_shr(position).unwrap_or(0) & bits64(length)
}

#[inline(always)]
fn bfe_s64(a: u64, position: u32, length: u32) -> u64 {
    if length == 0 {
        return 0;
    }
    let sign = a >> position.saturating_add(length - 1).min(63) & 1;
    let valid = bits64(length.min(64u32.saturating_sub(position)));
    bfe_u64(a, position, length) & valid | if sign != 0 { !valid } else { 0 }
}

table! {
    /// Three times 64 bits to 64 bits.
    Ternary64: map3(a: u64, b: u64, c: u64) -> u64 {
        MadLo = |a: u64, b: u64, c: u64| a.wrapping_mul(b).wrapping_add(c);
        MadHiU = |a: u64, b: u64, c: u64| (((u128::from(a) * u128::from(b)) >> 64) as u64).wrapping_add(c);
        MadHiS = |a: u64, b: u64, c: u64| (((i128::from(a as i64) * i128::from(b as i64)) >> 64) as u64).wrapping_add(c);
        SadU = |a: u64, b: u64, c: u64| c.wrapping_add(a.abs_diff(b));
        SadS = |a: u64, b: u64, c: u64| c.wrapping_add((a as i64).abs_diff(b as i64));
        FmaF64 = |a: u64, b: u64, c: u64| fma64(d(a).mul_add(d(b), d(c)), a, b, c);
    }
}

table! {
    /// 32, 32 and 64 bits to 64 bits.
    MadWide: map3(a: u32, b: u32, c: u64) -> u64 {
        Unsigned = |a: u32, b: u32, c: u64| (u64::from(a) * u64::from(b)).wrapping_add(c);
        Signed = |a: u32, b: u32, c: u64| ((i64::from(a as i32) * i64::from(b as i32)) as u64).wrapping_add(c);
    }
}

table! {
    /// 64, 32 and 32 bits to 64 bits. Unlike in the forms of 32 bits, hardware looks at all bits of position and length.
    Field64: map3(a: u64, b: u32, c: u32) -> u64 {
        BfeU = |a: u64, b: u32, c: u32| bfe_u64(a, b, c);
        BfeS = |a: u64, b: u32, c: u32| bfe_s64(a, b, c);
    }
}

table! {
    /// 64, 64 and 32 bits to 64 bits.
    Select64: map3(a: u64, b: u64, c: u32) -> u64 {
        Negative = |a: u64, b: u64, c: u32| if (c as i32) >= 0 { a } else { b };
        NegativeF32 = |a: u64, b: u64, c: u32| if f(c) >= 0.0 { a } else { b };
    }
}

table! {
    /// Four times 32 bits to 32 bits.
    Quaternary32: map4(a: u32, b: u32, c: u32, e: u32) -> u32 {
        Bfi = |a: u32, b: u32, c: u32, e: u32| {
            let field = bits32(e & 0xff).checked_shl(c & 0xff).unwrap_or(0);
            b & !field | a.checked_shl(c & 0xff).unwrap_or(0) & field
        };
        Lop3 = |a: u32, b: u32, c: u32, e: u32| {
            let on = |bit: u32, value: u32| if e >> bit & 1 != 0 { value } else { 0 };
            on(0, !a & !b & !c) | on(1, !a & !b & c) | on(2, !a & b & !c) | on(3, !a & b & c)
                | on(4, a & !b & !c) | on(5, a & !b & c) | on(6, a & b & !c) | on(7, a & b & c)
        };
    }
}

table! {
    /// 64, 64, 32 and 32 bits to 64 bits.
    Quaternary64: map4(a: u64, b: u64, c: u32, e: u32) -> u64 {
        Bfi = |a: u64, b: u64, c: u32, e: u32| {
            let field = bits64(e).checked_shl(c).unwrap_or(0);
            b & !field | a.checked_shl(c).unwrap_or(0) & field
        };
    }
}
