//! Comparisons and predicates, whose results are one bit per lane.

use super::float::{d, f};
use super::table::table;

table! {
    /// 32 and 32 bits to a predicate. Unsigned comparisons serve 16 bits too.
    Compare32: mask2(a: u32, b: u32) -> bool {
        Eq = |a: u32, b: u32| a == b;
        Ne = |a: u32, b: u32| a != b;
        LtU = |a: u32, b: u32| a < b;
        LeU = |a: u32, b: u32| a <= b;
        GtU = |a: u32, b: u32| a > b;
        GeU = |a: u32, b: u32| a >= b;
        LtS = |a: u32, b: u32| (a as i32) < b as i32;
        LeS = |a: u32, b: u32| a as i32 <= b as i32;
        GtS = |a: u32, b: u32| a as i32 > b as i32;
        GeS = |a: u32, b: u32| a as i32 >= b as i32;
        LtS16 = |a: u32, b: u32| (a as i16) < b as i16;
        LeS16 = |a: u32, b: u32| a as i16 <= b as i16;
        GtS16 = |a: u32, b: u32| a as i16 > b as i16;
        GeS16 = |a: u32, b: u32| a as i16 >= b as i16;
        EqF = |a: u32, b: u32| f(a) == f(b);
        NeF = |a: u32, b: u32| f(a) < f(b) || f(a) > f(b);
        LtF = |a: u32, b: u32| f(a) < f(b);
        LeF = |a: u32, b: u32| f(a) <= f(b);
        GtF = |a: u32, b: u32| f(a) > f(b);
        GeF = |a: u32, b: u32| f(a) >= f(b);
        NumF = |a: u32, b: u32| !f(a).is_nan() && !f(b).is_nan();
        Finite = |a: u32, _: u32| f(a).is_finite();
        Infinite = |a: u32, _: u32| f(a).is_infinite();
        Number = |a: u32, _: u32| !f(a).is_nan();
        Normal = |a: u32, _: u32| f(a).is_normal() || f(a) == 0.0;
        Subnormal = |a: u32, _: u32| f(a).is_subnormal();
    }
}

table! {
    /// 64 and 64 bits to a predicate.
    Compare64: mask2(a: u64, b: u64) -> bool {
        Eq = |a: u64, b: u64| a == b;
        Ne = |a: u64, b: u64| a != b;
        LtU = |a: u64, b: u64| a < b;
        LeU = |a: u64, b: u64| a <= b;
        GtU = |a: u64, b: u64| a > b;
        GeU = |a: u64, b: u64| a >= b;
        LtS = |a: u64, b: u64| (a as i64) < b as i64;
        LeS = |a: u64, b: u64| a as i64 <= b as i64;
        GtS = |a: u64, b: u64| a as i64 > b as i64;
        GeS = |a: u64, b: u64| a as i64 >= b as i64;
        EqF = |a: u64, b: u64| d(a) == d(b);
        NeF = |a: u64, b: u64| d(a) < d(b) || d(a) > d(b);
        LtF = |a: u64, b: u64| d(a) < d(b);
        LeF = |a: u64, b: u64| d(a) <= d(b);
        GtF = |a: u64, b: u64| d(a) > d(b);
        GeF = |a: u64, b: u64| d(a) >= d(b);
        NumF = |a: u64, b: u64| !d(a).is_nan() && !d(b).is_nan();
        Finite = |a: u64, _: u64| d(a).is_finite();
        Infinite = |a: u64, _: u64| d(a).is_infinite();
        Number = |a: u64, _: u64| !d(a).is_nan();
        Normal = |a: u64, _: u64| d(a).is_normal() || d(a) == 0.0;
        Subnormal = |a: u64, _: u64| d(a).is_subnormal();
    }
}

/// Operations on predicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Logic {
    And,
    Or,
    Xor,
    Not,
    Copy,
}

impl Logic {
    /// On all lanes.
    #[inline(always)]
    pub(crate) fn run(self, a: u32, b: u32) -> u32 {
        match self {
            Logic::And => a & b,
            Logic::Or => a | b,
            Logic::Xor => a ^ b,
            Logic::Not => !a,
            Logic::Copy => a,
        }
    }
}
