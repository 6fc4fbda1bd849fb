//! `pow`: the logarithm to base 2 and its product with the exponent as unevaluated sums, then `exp2`. `powi`:
//! repeated squaring.

use super::coefficients::{exp2_poly_f32, exp2_poly_f64, pow_poly_f32, pow_poly_f64};
use super::log::{split_f32, split_f64};

macro_rules! powers {
    ($float:ident, $int:ident, $pow:ident, $powi:ident, $log2:ident, $of_positive:ident, $parity:ident, $split:ident,
     $pow_poly:ident, $exp2_poly:ident, $limits:ident) => {
        /// `log2(x)` as an unevaluated sum, 10 bits and more beyond the type, for positive finite `x`.
        #[inline(always)]
        fn $log2(x: $float) -> ($float, $float) {
            use super::support::$float::*;
            use $limits::*;
            let (f, k) = $split(x);
            // v = f / (2 + f); log(1 + f) = 2v + 2/3 v^3 + v^5 q(v^2)
            let (w, w_low) = fast_two_sum(2.0, f);
            let inverse = 1.0 / w;
            let v = f * inverse;
            let v_low = (fma(-v, w, f) - v * w_low) * inverse;
            let (z, z_low) = two_product(v, v);
            let z_low = fma(v + v, v_low, z_low);
            // (2 + 2/3 z + z^2 q) as a sum of two
            let (third, third_low) = two_product(z, TWO_THIRDS_HI);
            let third_low = third_low + fma(z_low, TWO_THIRDS_HI, z * TWO_THIRDS_LO);
            let (third, rest) = fast_two_sum(third, z * z * $pow_poly(z));
            let (s, s_low) = fast_two_sum(2.0, third);
            let s_low = s_low + (rest + third_low);
            let (l, l_low) = two_product(v, s);
            let l_low = l_low + fma(v, s_low, v_low * s);
            // to base 2
            let (p, p_low) = two_product(l, LOG2E_HI);
            let p_low = p_low + fma(l, LOG2E_LO, l_low * LOG2E_HI);
            let (high, low) = fast_two_sum(k as $float, p);
            fast_two_sum(high, low + p_low)
        }

        /// `x^y` for positive finite `x` and finite `y`.
        #[inline(always)]
        fn $of_positive(x: $float, y: $float) -> $float {
            use super::support::$float::*;
            use $limits::*;
            let (l, l_low) = $log2(x);
            let t = y * l;
            let t_low = fma(y, l, -t) + y * l_low;
            let inside = t.abs() < RANGE;
            // The comparison is true for no NaN, which cannot be here: both factors are finite.
            let t = if inside { t } else { RANGE.copysign(t) };
            let t_low = if inside { t_low } else { 0.0 };
            let (kf, k) = round_fma(t, 1.0);
            let (r, r_low) = fast_two_sum(t - kf, t_low);
            let m = fma(r, $exp2_poly(r), r_low * LN2) + 1.0;
            scale(m, k)
        }

        /// 0: `y` is no integer, 1: odd, 2: even. For finite `y`.
        #[inline(always)]
        fn $parity(y: $float) -> u32 {
            use super::support::$float::*;
            // 2^(mantissa bits + 1): from here on all floats are even.
            if !(y.abs() < MAGIC / 0.75) {
                return 2;
            }
            // SAFETY: |y| is at most 2^(mantissa bits + 1), so that its integer part fits.
            let whole = unsafe { y.to_int_unchecked::<$int>() };
            if whole as $float != y {
                0
            } else if whole & 1 != 0 {
                1
            } else {
                2
            }
        }

        /// `x` to the power `y`, with the special cases of C99 annex F.
        #[inline]
        pub fn $pow(x: $float, y: $float) -> $float {
            if y == 0.0 || x == 1.0 {
                return 1.0;
            }
            if x.is_nan() || y.is_nan() {
                return x + y;
            }
            let a = x.abs();
            if y.abs() == $float::INFINITY {
                return if a == 1.0 {
                    1.0
                } else if (a > 1.0) == (y > 0.0) {
                    $float::INFINITY
                } else {
                    0.0
                };
            }
            let parity = $parity(y);
            let negative = x.is_sign_negative() && parity == 1;
            let value = if a == 0.0 || a == $float::INFINITY {
                if (a == 0.0) == (y > 0.0) { 0.0 } else { $float::INFINITY }
            } else if x < 0.0 && parity == 0 {
                return $float::NAN;
            } else {
                $of_positive(a, y)
            };
            if negative { -value } else { value }
        }

        /// `x` to an integer power by repeated squaring, in the order of operations of LLVM's `powi`: the reciprocal
        /// of a negative power is taken last.
        #[inline]
        pub fn $powi(x: $float, n: i32) -> $float {
            let mut base = x;
            let mut left = n.unsigned_abs();
            let mut product = 1.0;
            loop {
                if left & 1 != 0 {
                    product *= base;
                }
                left >>= 1;
                if left == 0 {
                    break;
                }
                base *= base;
            }
            if n < 0 { 1.0 / product } else { product }
        }
    };
}

mod f32_limits {
    pub(super) const LOG2E_HI: f32 = core::f32::consts::LOG2_E;
    pub(super) const LOG2E_LO: f32 = 1.925963e-08;
    pub(super) const LN2: f32 = core::f32::consts::LN_2;
    pub(super) const TWO_THIRDS_HI: f32 = 0.6666667;
    pub(super) const TWO_THIRDS_LO: f32 = -1.9868216e-08;
    /// Powers of two beyond this are infinite or zero.
    pub(super) const RANGE: f32 = 200.0;
}

mod f64_limits {
    pub(super) const LOG2E_HI: f64 = core::f64::consts::LOG2_E;
    pub(super) const LOG2E_LO: f64 = 2.0355273740931033e-17;
    pub(super) const LN2: f64 = core::f64::consts::LN_2;
    pub(super) const TWO_THIRDS_HI: f64 = 0.6666666666666666;
    pub(super) const TWO_THIRDS_LO: f64 = 3.700743415417188e-17;
    pub(super) const RANGE: f64 = 1200.0;
}

powers!(f32, i32, pow_f32, powi_f32, log2_parts_f32, pow_positive_f32, parity_f32, split_f32, pow_poly_f32, exp2_poly_f32, f32_limits);
powers!(f64, i64, pow_f64, powi_f64, log2_parts_f64, pow_positive_f64, parity_f64, split_f64, pow_poly_f64, exp2_poly_f64, f64_limits);
