//! `log`, `log2`, `log10`, `log1p`: `x = 2^k (1 + f)` with `1 + f` in `[sqrt(1/2), sqrt(2))`, and a series in `f`.

use super::coefficients::{log_poly_f32, logv_poly_f64};

/// `log(1 + f)` as an unevaluated sum, for `f` in `[-0.293, 0.415]`; the low part holds what `f - f^2/2` lost.
#[inline(always)]
fn series_f32(f: f32) -> (f32, f32) {
    use super::support::f32::*;
    let half_square = 0.5 * f * f;
    let lost = fma(0.5 * f, f, -half_square);
    let (high, low) = fast_two_sum(f, -half_square);
    (high, fma(f * f * f, log_poly_f32(f), low - lost))
}

/// As [`series_f32`]; a polynomial in `f` would need 20 terms, that in `(f / (2 + f))^2` needs 8 and a division.
#[inline(always)]
fn series_f64(f: f64) -> (f64, f64) {
    use super::support::f64::*;
    let v = f / (2.0 + f);
    let z = v * v;
    let half_square = 0.5 * f * f;
    let lost = fma(0.5 * f, f, -half_square);
    let (high, low) = fast_two_sum(f, -half_square);
    (high, fma(v, fma(z, logv_poly_f64(z), half_square), low - lost))
}

macro_rules! logarithms {
    ($float:ident, $bits:ident, $int:ident, $log:ident, $log2:ident, $log10:ident, $log1p:ident, $split:ident,
     $of_sum:ident, $special:ident, $series:ident, $limits:ident) => {
        /// `x = 2^k (1 + f)` for positive finite `x`, subnormal ones included.
        #[inline(always)]
        pub(crate) fn $split(x: $float) -> ($float, $int) {
            use super::support::$float::*;
            use $limits::*;
            let small = x < $float::MIN_POSITIVE;
            let x = if small { x * SUBNORMAL_SCALE } else { x };
            let base = if small { -SUBNORMAL_SHIFT } else { 0 };
            let above = x.to_bits().wrapping_sub(ROOT_HALF_BITS);
            let k = base.wrapping_add((above as $int) >> MANTISSA);
            let m = $float::from_bits((above & MANTISSA_MASK).wrapping_add(ROOT_HALF_BITS));
            (m - 1.0, k)
        }

        /// The logarithms' common answer for zero, negative numbers, infinity and NaN.
        #[inline(always)]
        fn $special(x: $float) -> $float {
            if x == 0.0 {
                -$float::INFINITY
            } else if x < 0.0 {
                $float::NAN
            } else {
                x + x
            }
        }

        /// `log(x + low) + extra * log(2)`, for `x` positive and normal, `low` within a few units of its last place.
        #[inline(always)]
        pub(crate) fn $of_sum(x: $float, low: $float, extra: $int) -> $float {
            use super::support::$float::*;
            use $limits::*;
            let (f, k) = $split(x);
            let (high, tail) = $series(f);
            let kf = k.wrapping_add(extra) as $float;
            let tail = tail + fma(kf, LN2_LO, low / x);
            let product = kf * LN2_HI;
            let lost = fma(kf, LN2_HI, -product);
            let (sum, rest) = fast_two_sum(product, high);
            sum + (rest + (lost + tail))
        }

        /// The natural logarithm.
        #[inline]
        pub fn $log(x: $float) -> $float {
            use super::support::$float::*;
            use $limits::*;
            if !(x > 0.0 && x < $float::INFINITY) {
                return $special(x);
            }
            let (f, k) = $split(x);
            let (high, tail) = $series(f);
            let kf = k as $float;
            // The product needs no low part of its own: the constant's zeros at the end keep it exact.
            let (sum, rest) = fast_two_sum(kf * LN2_SHORT, high);
            sum + (rest + fma(kf, LN2_REST, tail))
        }

        /// The logarithm to base 2, exact for powers of two.
        #[inline]
        pub fn $log2(x: $float) -> $float {
            use super::support::$float::*;
            use $limits::*;
            if !(x > 0.0 && x < $float::INFINITY) {
                return $special(x);
            }
            let (f, k) = $split(x);
            let (high, tail) = $series(f);
            let (product, lost) = two_product(high, LOG2E_HI);
            let low = fma(high, LOG2E_LO, fma(tail, LOG2E_HI, lost));
            let (sum, rest) = fast_two_sum(k as $float, product);
            sum + (rest + low)
        }

        /// The logarithm to base 10.
        #[inline]
        pub fn $log10(x: $float) -> $float {
            use super::support::$float::*;
            use $limits::*;
            if !(x > 0.0 && x < $float::INFINITY) {
                return $special(x);
            }
            let (f, k) = $split(x);
            let (high, tail) = $series(f);
            let kf = k as $float;
            let (product, lost) = two_product(high, LOG10E_HI);
            let low = fma(high, LOG10E_LO, fma(tail, LOG10E_HI, lost));
            let (sum, rest) = fast_two_sum(kf * LOG10_2_SHORT, product);
            sum + (rest + fma(kf, LOG10_2_REST, low))
        }

        /// `log(1 + x)`, exact to the last bits near zero.
        #[inline]
        pub fn $log1p(x: $float) -> $float {
            use super::support::$float::*;
            use $limits::*;
            if !(x > -1.0 && x < $float::INFINITY) {
                return if x == -1.0 { -$float::INFINITY } else { $special(x) };
            }
            // Below this, log(1 + x) rounds to x; it also keeps the sign of zero.
            if x.abs() < LOG1P_TINY {
                return x;
            }
            // The scale below would be subnormal, and 1 is beyond the last place anyway.
            if x > LOG1P_HUGE {
                return $log(x);
            }
            // 1 + f = 2^-k (1 + x), with k from the rounded sum: f is rounded once and the rest is kept.
            let above = (1.0 + x).to_bits().wrapping_sub(ROOT_HALF_BITS);
            let k = (above as $int) >> MANTISSA;
            let s = exp2_int((0 as $int).wrapping_sub(k));
            let f = fma(s, x, s - 1.0);
            let lost = fma(s, x, (s - 1.0) - f);
            let (high, tail) = $series(f);
            let kf = k as $float;
            let tail = fma(kf, LN2_REST, fma(lost, 1.0 - f, tail));
            let (sum, rest) = fast_two_sum(kf * LN2_SHORT, high);
            sum + (rest + tail)
        }
    };
}

mod f32_limits {
    pub(super) const LN2_SHORT: f32 = 0.69314575;
    pub(super) const LN2_REST: f32 = 1.4286068e-06;
    pub(super) const LOG10_2_SHORT: f32 = 0.30103302;
    pub(super) const LOG10_2_REST: f32 = -3.0243555e-06;
    pub(super) const LOG2E_HI: f32 = core::f32::consts::LOG2_E;
    pub(super) const LOG2E_LO: f32 = 1.925963e-08;
    pub(super) const LOG10E_HI: f32 = core::f32::consts::LOG10_E;
    pub(super) const LOG10E_LO: f32 = -1.010305e-08;
    pub(super) const LN2_HI: f32 = core::f32::consts::LN_2;
    pub(super) const LN2_LO: f32 = -1.9046542e-09;
    pub(super) const SUBNORMAL_SCALE: f32 = 8388608.0;
    pub(super) const SUBNORMAL_SHIFT: i32 = 23;
    pub(super) const ROOT_HALF_BITS: u32 = 0x3f35_04f3;
    pub(super) const MANTISSA_MASK: u32 = 0x007f_ffff;
    pub(super) const LOG1P_TINY: f32 = 2.9802322e-08;
    pub(super) const LOG1P_HUGE: f32 = 1e30;
}

mod f64_limits {
    pub(super) const LN2_SHORT: f64 = 0.6931471805598903;
    pub(super) const LN2_REST: f64 = 5.497923018708371e-14;
    pub(super) const LOG10_2_SHORT: f64 = 0.30102999566395283;
    pub(super) const LOG10_2_REST: f64 = 2.8363394551044964e-14;
    pub(super) const LOG2E_HI: f64 = core::f64::consts::LOG2_E;
    pub(super) const LOG2E_LO: f64 = 2.0355273740931033e-17;
    pub(super) const LOG10E_HI: f64 = core::f64::consts::LOG10_E;
    pub(super) const LOG10E_LO: f64 = 1.098319650216765e-17;
    pub(super) const LN2_HI: f64 = core::f64::consts::LN_2;
    pub(super) const LN2_LO: f64 = 2.3190468138462996e-17;
    pub(super) const SUBNORMAL_SCALE: f64 = 4503599627370496.0;
    pub(super) const SUBNORMAL_SHIFT: i64 = 52;
    pub(super) const ROOT_HALF_BITS: u64 = 0x3fe6_a09e_667f_3bcd;
    pub(super) const MANTISSA_MASK: u64 = 0x000f_ffff_ffff_ffff;
    pub(super) const LOG1P_TINY: f64 = 5.551115123125783e-17;
    pub(super) const LOG1P_HUGE: f64 = 1e300;
}

logarithms!(f32, u32, i32, log_f32, log2_f32, log10_f32, log1p_f32, split_f32, log_of_sum_f32, special_f32, series_f32, f32_limits);
logarithms!(f64, u64, i64, log_f64, log2_f64, log10_f64, log1p_f64, split_f64, log_of_sum_f64, special_f64, series_f64, f64_limits);
