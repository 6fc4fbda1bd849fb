//! `exp`, `exp2`, `exp10`, `expm1`: reduction to `[-ln 2 / 2, ln 2 / 2]`, a polynomial, a scaling by two powers of two.

use super::coefficients::{exp_poly_f32, exp_poly_f64, exp2_poly_f32, exp2_poly_f64};

macro_rules! exponentials {
    ($float:ident, $int:ident, $bits:ident, $exp:ident, $exp2:ident, $exp10:ident, $expm1:ident, $parts:ident,
     EXP: $exp_poly:ident, EXP2: $exp2_poly:ident, $limits:ident) => {
        /// `exp(x + low) = (m + e) * 2^k`, with `m` in `[0.7, 1.42]` and `e` what its rounding lost.
        #[inline(always)]
        pub(crate) fn $parts(x: $float, low: $float) -> ($float, $float, $int) {
            use super::support::$float::*;
            use $limits::*;
            let (kf, k) = round_fma(x, LOG2E);
            let high = fma(kf, -LN2_HI, x);
            let low = fma(kf, -LN2_LO, low);
            let r = high + low;
            let tail = fma(r * r, $exp_poly(r), (high - r) + low);
            let (m, e) = fast_two_sum(1.0, r);
            let (m, e) = fast_two_sum(m, e + tail);
            (m, e, k)
        }

        /// e to the power `x`.
        #[inline]
        pub fn $exp(x: $float) -> $float {
            use super::support::$float::*;
            use $limits::*;
            let (kf, k) = round_fma(x, LOG2E);
            let r = fma(kf, -LN2_HI, x);
            let r = fma(kf, -LN2_LO, r);
            let m = fma(fma(r, $exp_poly(r), 1.0), r, 1.0);
            // A normal result: its exponent is added as an integer.
            let normal = $float::from_bits(m.to_bits().wrapping_add((k as $bits) << MANTISSA));
            if x.abs() < EXP_NORMAL {
                return normal;
            }
            core::hint::cold_path();
            let x = max(min(x, EXP_MAX), EXP_MIN);
            let (kf, k) = round_fma(x, LOG2E);
            let r = fma(kf, -LN2_HI, x);
            let r = fma(kf, -LN2_LO, r);
            let m = fma(fma(r, $exp_poly(r), 1.0), r, 1.0);
            scale(m, k)
        }

        /// 2 to the power `x`.
        #[inline]
        pub fn $exp2(x: $float) -> $float {
            use super::support::$float::*;
            use $limits::*;
            let x = max(min(x, EXP2_MAX), EXP2_MIN);
            let (kf, k) = round_fma(x, 1.0);
            let r = x - kf;
            scale(fma(r, $exp2_poly(r), 1.0), k)
        }

        /// 10 to the power `x`.
        #[inline]
        pub fn $exp10(x: $float) -> $float {
            use super::support::$float::*;
            use $limits::*;
            let x = max(min(x, EXP10_MAX), EXP10_MIN);
            let (kf, k) = round_fma(x, LOG2_10);
            let r = fma(kf, -LOG10_2_HI, x);
            let r = fma(kf, -LOG10_2_LO, r);
            let u = r * LN10_HI;
            let low = fma(r, LN10_HI, -u) + r * LN10_LO;
            let m = (fma(u * u, $exp_poly(u), low) + u) + 1.0;
            scale(m, k)
        }

        /// `exp(x) - 1`, exact to the last bits near zero.
        #[inline]
        pub fn $expm1(x: $float) -> $float {
            use super::support::$float::*;
            use $limits::*;
            // Below this, exp(x) - 1 rounds to x; it also keeps the sign of zero and NaN.
            if !(x.abs() > EXPM1_TINY) {
                return x;
            }
            let x = max(min(x, EXP_MAX), EXPM1_MIN);
            let (kf, k) = round_fma(x, LOG2E);
            let high = fma(kf, -LN2_HI, x);
            let low = kf * -LN2_LO;
            let r = high + low;
            let low = (high - r) + low;
            let tail = fma(r * r, $exp_poly(r), low);
            // Half of the result, so that 2^k may be one step beyond the largest power of two.
            let s = exp2_int(k.wrapping_sub(1));
            let top = fma(s, r, s - 0.5);
            let lost = fma(s, r, (s - 0.5) - top);
            2.0 * (top + fma(s, tail, lost))
        }
    };
}

mod f32_limits {
    pub(super) const LOG2E: f32 = core::f32::consts::LOG2_E;
    pub(super) const LN2_HI: f32 = core::f32::consts::LN_2;
    pub(super) const LN2_LO: f32 = -1.9046542e-09;
    pub(super) const LOG2_10: f32 = core::f32::consts::LOG2_10;
    pub(super) const LOG10_2_HI: f32 = core::f32::consts::LOG10_2;
    pub(super) const LOG10_2_LO: f32 = -1.4320989e-08;
    pub(super) const LN10_HI: f32 = core::f32::consts::LN_10;
    pub(super) const LN10_LO: f32 = -3.1975436e-08;
    // Beyond these the result is infinite or zero, and the reduced exponent still fits `scale`.
    pub(super) const EXP_NORMAL: f32 = 87.0;
    pub(super) const EXP_MAX: f32 = 89.0;
    pub(super) const EXP_MIN: f32 = -105.0;
    pub(super) const EXP2_MAX: f32 = 129.0;
    pub(super) const EXP2_MIN: f32 = -152.0;
    pub(super) const EXP10_MAX: f32 = 39.0;
    pub(super) const EXP10_MIN: f32 = -46.0;
    pub(super) const EXPM1_MIN: f32 = -18.0;
    pub(super) const EXPM1_TINY: f32 = 2.9802322e-08;
}

mod f64_limits {
    pub(super) const LOG2E: f64 = core::f64::consts::LOG2_E;
    pub(super) const LN2_HI: f64 = core::f64::consts::LN_2;
    pub(super) const LN2_LO: f64 = 2.3190468138462996e-17;
    pub(super) const LOG2_10: f64 = core::f64::consts::LOG2_10;
    pub(super) const LOG10_2_HI: f64 = core::f64::consts::LOG10_2;
    pub(super) const LOG10_2_LO: f64 = -2.8037281277851704e-18;
    pub(super) const LN10_HI: f64 = core::f64::consts::LN_10;
    pub(super) const LN10_LO: f64 = -2.1707562233822494e-16;
    pub(super) const EXP_NORMAL: f64 = 708.0;
    pub(super) const EXP_MAX: f64 = 710.0;
    pub(super) const EXP_MIN: f64 = -746.0;
    pub(super) const EXP2_MAX: f64 = 1025.0;
    pub(super) const EXP2_MIN: f64 = -1076.0;
    pub(super) const EXP10_MAX: f64 = 309.0;
    pub(super) const EXP10_MIN: f64 = -324.0;
    pub(super) const EXPM1_MIN: f64 = -38.0;
    pub(super) const EXPM1_TINY: f64 = 5.551115123125783e-17;
}

exponentials!(f32, i32, u32, exp_f32, exp2_f32, exp10_f32, expm1_f32, exp_parts_f32, EXP: exp_poly_f32, EXP2: exp2_poly_f32, f32_limits);
exponentials!(f64, i64, u64, exp_f64, exp2_f64, exp10_f64, expm1_f64, exp_parts_f64, EXP: exp_poly_f64, EXP2: exp2_poly_f64, f64_limits);
