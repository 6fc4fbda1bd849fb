//! Operations with one operand. 16-bit registers hold their value zero-extended.

use super::float::{abs32, abs64, d, f, flush, from_half, narrow_nan, neg32, neg64, rd, rf, saturate32, saturate64, widen};
use super::table::table;

table! {
    /// 32 bits to 32 bits.
    Unary32: map1(a: u32) -> u32 {
        Copy = |a: u32| a;
        Not = |a: u32| !a;
        Not16 = |a: u32| !a & 0xffff;
        Neg = |a: u32| a.wrapping_neg();
        Neg16 = |a: u32| a.wrapping_neg() & 0xffff;
        Abs = |a: u32| (a as i32).unsigned_abs();
        Abs16 = |a: u32| u32::from((a as i16).unsigned_abs());
        LogicalNot = |a: u32| u32::from(a == 0);
        Popc = |a: u32| a.count_ones();
        Clz = |a: u32| a.leading_zeros();
        Brev = |a: u32| a.reverse_bits();
        FindU = |a: u32| 31u32.wrapping_sub(a.leading_zeros());
        FindS = |a: u32| 31u32.wrapping_sub((a ^ ((a as i32 >> 31) as u32)).leading_zeros());
        FindUShift = |a: u32| if a == 0 { u32::MAX } else { a.leading_zeros() };
        FindSShift = |a: u32| { let x = a ^ ((a as i32 >> 31) as u32); if x == 0 { u32::MAX } else { x.leading_zeros() } };
        Zext8 = |a: u32| a & 0xff;
        Zext16 = |a: u32| a & 0xffff;
        Sext8To16 = |a: u32| u32::from(a as i8 as i16 as u16);
        Sext16 = |a: u32| a as i16 as i32 as u32;
        High16 = |a: u32| a >> 16;
        High8 = |a: u32| a >> 8 & 0xff;
        NegF32 = neg32;
        AbsF32 = abs32;
        Flush = flush;
        SatF32 = saturate32;
        SqrtF32 = |a: u32| rf(f(a).sqrt());
        RcpF32 = |a: u32| rf(1.0 / f(a));
        RsqrtF32 = |a: u32| rf((1.0 / f64::from(f(a)).sqrt()) as f32);
        SinF32 = |a: u32| rf(f64::from(f(a)).sin() as f32);
        CosF32 = |a: u32| rf(f64::from(f(a)).cos() as f32);
        Lg2F32 = |a: u32| rf(f64::from(f(a)).log2() as f32);
        Ex2F32 = |a: u32| rf(f64::from(f(a)).exp2() as f32);
        TanhF32 = |a: u32| rf(f64::from(f(a)).tanh() as f32);
        F32FromS32 = |a: u32| (a as i32 as f32).to_bits();
        F32FromU32 = |a: u32| (a as f32).to_bits();
        S32FromF32 = |a: u32| f(a) as i32 as u32;
        U32FromF32 = |a: u32| f(a) as u32;
        F32FromF16 = |a: u32| rf(from_half(a));
        F32FromBf16 = |a: u32| a << 16;
        FlushF16 = |a: u32| if a & 0x7c00 == 0 { a & 0x8000 } else { a };
    }
}

table! {
    /// 64 bits to 64 bits.
    Unary64: map1(a: u64) -> u64 {
        Copy = |a: u64| a;
        Not = |a: u64| !a;
        Neg = |a: u64| a.wrapping_neg();
        Abs = |a: u64| (a as i64).unsigned_abs();
        LogicalNot = |a: u64| u64::from(a == 0);
        Brev = |a: u64| a.reverse_bits();
        NegF64 = neg64;
        AbsF64 = abs64;
        SatF64 = saturate64;
        SqrtF64 = |a: u64| rd(d(a).sqrt(), [a, a]);
        RcpF64 = |a: u64| rd(1.0 / d(a), [a, a]);
        RsqrtF64 = |a: u64| rd(1.0 / d(a).sqrt(), [a, a]);
        RcpHighF64 = |a: u64| high_half(|x| 1.0 / x, a);
        RsqrtHighF64 = |a: u64| high_half(|x| 1.0 / x.sqrt(), a);
    }
}

table! {
    /// 32 bits to 64 bits.
    Widen: map1(a: u32) -> u64 {
        Zext = |a: u32| u64::from(a);
        Sext = |a: u32| a as i32 as i64 as u64;
        Zext16 = |a: u32| u64::from(a as u16);
        Sext16 = |a: u32| a as i16 as i64 as u64;
        F64FromF32 = widen;
        F64FromS32 = |a: u32| f64::from(a as i32).to_bits();
        F64FromU32 = |a: u32| f64::from(a).to_bits();
    }
}

table! {
    /// 64 bits to 32 bits.
    Narrow: map1(a: u64) -> u32 {
        Low = |a: u64| a as u32;
        High = |a: u64| (a >> 32) as u32;
        Low16 = |a: u64| u32::from(a as u16);
        Popc = |a: u64| a.count_ones();
        Clz = |a: u64| a.leading_zeros();
        FindU = |a: u64| 63u32.wrapping_sub(a.leading_zeros());
        FindS = |a: u64| 63u32.wrapping_sub((a ^ ((a as i64 >> 63) as u64)).leading_zeros());
        FindUShift = |a: u64| if a == 0 { u32::MAX } else { a.leading_zeros() };
        FindSShift = |a: u64| { let x = a ^ ((a as i64 >> 63) as u64); if x == 0 { u32::MAX } else { x.leading_zeros() } };
        F32FromF64 = |a: u64| if d(a).is_nan() { narrow_nan(a) } else { (d(a) as f32).to_bits() };
    }
}

/// `.approx.ftz` in double precision: of operand and result only the upper 32 bits count, and subnormals are zeros.
fn high_half(f: impl Fn(f64) -> f64, a: u64) -> u64 {
    let high = |bits: u64| if bits & 0x7ff0_0000_0000_0000 == 0 { bits & 1 << 63 } else { bits & !0xffff_ffff };
    let value = f(d(high(a)));
    if value.is_nan() { rd(value, [a, a]) & !0xffff_ffff } else { high(value.to_bits()) }
}
