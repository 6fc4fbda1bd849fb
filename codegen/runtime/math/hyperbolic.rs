//! `sinh`, `cosh`, `tanh` and their inverses.

use super::coefficients::{
    asinh_poly_f32, asinh_poly_f64, atanh_poly_f32, atanh_poly_f64, sinh_poly_f32, sinh_poly_f64, tanh_poly_f32, tanh_poly_f64,
};
use super::exp::{exp_parts_f32, exp_parts_f64};
use super::log::{log_of_sum_f32, log_of_sum_f64, log1p_f32, log1p_f64};

macro_rules! hyperbolics {
    ($float:ident, $sinh:ident, $cosh:ident, $tanh:ident, $asinh:ident, $acosh:ident, $atanh:ident, $half_exp:ident,
     $parts:ident, $log_of_sum:ident, $log1p:ident, $sinh_poly:ident, $tanh_poly:ident, $asinh_poly:ident, $atanh_poly:ident,
     $limits:ident) => {
        /// `exp(a) / 2` as an unevaluated sum, and `exp(-a) / 2`.
        #[inline(always)]
        fn $half_exp(a: $float) -> ($float, $float, $float) {
            use super::support::$float::*;
            use $limits::*;
            let a = min(a, EXP_MAX);
            let (m, m_low, k) = $parts(a, 0.0);
            let half = scale(m, k.wrapping_sub(1));
            let low = scale(m_low, k.wrapping_sub(1));
            (half, low, 0.25 / half)
        }

        /// The hyperbolic sine.
        #[inline]
        pub fn $sinh(x: $float) -> $float {
            use super::support::$float::*;
            use $limits::*;
            let a = x.abs();
            if a < TINY {
                return x;
            }
            if a < 1.0 {
                let z = x * x;
                return fma(x * z, $sinh_poly(z), x);
            }
            let (half, low, inverse) = $half_exp(a);
            let (high, rest) = fast_two_sum(half, -inverse);
            // An overflow has no low part.
            let value = if half < $float::MAX { high + (rest + low) } else { half };
            value.copysign(x)
        }

        /// The hyperbolic cosine.
        #[inline]
        pub fn $cosh(x: $float) -> $float {
            use super::support::$float::*;
            let (half, low, inverse) = $half_exp(x.abs());
            let (high, rest) = fast_two_sum(half, inverse);
            if half < $float::MAX { high + (rest + low) } else { half }
        }

        /// The hyperbolic tangent.
        #[inline]
        pub fn $tanh(x: $float) -> $float {
            use super::support::$float::*;
            use $limits::*;
            let a = x.abs();
            if a < TINY {
                return x;
            }
            if a < 0.55 {
                let z = x * x;
                return fma(x * z, $tanh_poly(z), x);
            }
            // 1 - 2 / (exp(2a) + 1), which is 1 to the last place beyond the limit
            let a = min(a, TANH_ONE);
            let (m, m_low, k) = $parts(a + a, 0.0);
            let s = exp2_int(k);
            let (sum, rest) = fast_two_sum(m * s, 1.0);
            let rest = fma(m_low, s, rest);
            let inverse = 2.0 / sum;
            let error = fma(-inverse, rest, fma(-inverse, sum, 2.0)) / sum;
            let (high, low) = fast_two_sum(1.0, -inverse);
            (high + (low - error)).copysign(x)
        }

        /// The inverse hyperbolic sine.
        #[inline]
        pub fn $asinh(x: $float) -> $float {
            use super::support::$float::*;
            use $limits::*;
            let a = x.abs();
            if !(a >= TINY && a < $float::INFINITY) {
                return x;
            }
            if a < 0.5 {
                let z = x * x;
                return fma(x * z, $asinh_poly(z), x);
            }
            // log(a + sqrt(a^2 + 1)); far out 2a, whose logarithm is that of a and one of 2
            let far = a > FAR;
            let b = if far { 1.0 } else { a };
            let (square, lost) = two_product(b, b);
            let (large, small) = if b > 1.0 { (square, 1.0) } else { (1.0, square) };
            let (sum, rest) = fast_two_sum(large, small);
            let root = sqrt(sum);
            let root_low = (fma(-root, root, sum) + (rest + lost)) / (root + root);
            let (high, low) = fast_two_sum(root, b);
            let (high, low) = if far { (a, 0.0) } else { (high, low + root_low) };
            $log_of_sum(high, low, far as _).copysign(x)
        }

        /// The inverse hyperbolic cosine.
        #[inline]
        pub fn $acosh(x: $float) -> $float {
            use super::support::$float::*;
            use $limits::*;
            if !(x >= 1.0 && x < $float::INFINITY) {
                return if x == $float::INFINITY { x } else { (x - x) / (x - x) };
            }
            if x > FAR {
                return $log_of_sum(x, 0.0, 1);
            }
            // t = x - 1; sqrt(x^2 - 1) = sqrt(2t + t^2)
            let t = x - 1.0;
            let t_low = (x - 1.0) - t;
            let (square, lost) = two_product(t, t);
            let twice = t + t;
            let (large, small) = if t > 2.0 { (square, twice) } else { (twice, square) };
            let (sum, rest) = fast_two_sum(large, small);
            let root = sqrt(sum);
            let root_low = if root > 0.0 { (fma(-root, root, sum) + (rest + lost)) / (root + root) } else { 0.0 };
            if x < 1.5 {
                let (u, u_low) = fast_two_sum(root, t);
                let u_low = u_low + root_low + t_low;
                return $log1p(u) + u_low / (1.0 + u);
            }
            let (high, low) = fast_two_sum(x, root);
            $log_of_sum(high, low + root_low, 0)
        }

        /// The inverse hyperbolic tangent.
        #[inline]
        pub fn $atanh(x: $float) -> $float {
            use super::support::$float::*;
            use $limits::*;
            let a = x.abs();
            if !(a < 1.0) {
                return if a == 1.0 { $float::INFINITY.copysign(x) } else { (x - x) / (x - x) };
            }
            if a < TINY {
                return x;
            }
            if a < 0.5 {
                let z = x * x;
                return fma(x * z, $atanh_poly(z), x);
            }
            // log((1 + a) / (1 - a)) / 2; the denominator is exact
            let denominator = 1.0 - a;
            let (numerator, numerator_low) = fast_two_sum(1.0, a);
            let q = numerator / denominator;
            let q_low = (fma(-q, denominator, numerator) + numerator_low) / denominator;
            (0.5 * $log_of_sum(q, q_low, 0)).copysign(x)
        }
    };
}

mod f32_limits {
    /// Below this the odd functions round to their argument; it also keeps the sign of zero.
    pub(super) const TINY: f32 = 1.2207031e-04;
    /// The half of exp overflows here, and so do sinh and cosh.
    pub(super) const EXP_MAX: f32 = 90.0;
    pub(super) const TANH_ONE: f32 = 10.0;
    pub(super) const FAR: f32 = 1e8;
}

mod f64_limits {
    pub(super) const TINY: f64 = 7.450580596923828e-09;
    pub(super) const EXP_MAX: f64 = 711.0;
    pub(super) const TANH_ONE: f64 = 20.0;
    pub(super) const FAR: f64 = 1e17;
}

hyperbolics!(
    f32,
    sinh_f32,
    cosh_f32,
    tanh_f32,
    asinh_f32,
    acosh_f32,
    atanh_f32,
    half_exp_f32,
    exp_parts_f32,
    log_of_sum_f32,
    log1p_f32,
    sinh_poly_f32,
    tanh_poly_f32,
    asinh_poly_f32,
    atanh_poly_f32,
    f32_limits
);
hyperbolics!(
    f64,
    sinh_f64,
    cosh_f64,
    tanh_f64,
    asinh_f64,
    acosh_f64,
    atanh_f64,
    half_exp_f64,
    exp_parts_f64,
    log_of_sum_f64,
    log1p_f64,
    sinh_poly_f64,
    tanh_poly_f64,
    asinh_poly_f64,
    atanh_poly_f64,
    f64_limits
);
