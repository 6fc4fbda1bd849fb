//! `erf` and `erfc`. Beyond 1/2, erfc is `exp(-x^2) p((x - 4) / (x + 4)) / (1 + 2x)`: the form of M. Shepherd and
//! J. Laframboise, Math. Comp. 36 (1981); the coefficients are our own.

use super::coefficients::{erf_poly_f32, erf_poly_f64, erfc_poly_f32, erfc_poly_f64};
use super::exp::{exp_parts_f32, exp_parts_f64};

macro_rules! error_functions {
    ($float:ident, $erf:ident, $erfc:ident, $tail:ident, $parts:ident, $erf_poly:ident, $erfc_poly:ident, $first:literal,
     $limit:literal) => {
        /// `erfc(a)` for `a >= 1/2`.
        #[inline(always)]
        fn $tail(a: $float) -> $float {
            use super::support::$float::*;
            // Zero from here on; 2^k stays within reach of `scale`.
            let a = min(a, $limit);
            let t = (a - 4.0) / (a + 4.0);
            let step = t * $erfc_poly(t);
            let (p, p_low) = fast_two_sum($first, step);
            let (d, d_low) = if a > 0.5 { fast_two_sum(a + a, 1.0) } else { fast_two_sum(1.0, a + a) };
            let q = p / d;
            let q_low = (fma(-q, d_low, fma(-q, d, p)) + p_low) / d;
            let (square, lost) = two_product(a, a);
            let (m, m_low, k) = $parts(-square, -lost);
            scale(fma(q, m, fma(q, m_low, q_low * m)), k)
        }

        /// The error function.
        #[inline]
        pub fn $erf(x: $float) -> $float {
            use super::support::$float::*;
            if x.is_nan() {
                return x + x;
            }
            if x.abs() < 1.0 {
                let z = x * x;
                return fma(x, $erf_poly(z), x);
            }
            (1.0 - $tail(x.abs())).copysign(x)
        }

        /// The complementary error function, `1 - erf(x)` without cancellation.
        #[inline]
        pub fn $erfc(x: $float) -> $float {
            use super::support::$float::*;
            if x.is_nan() {
                return x + x;
            }
            if x.abs() < 0.5 {
                let z = x * x;
                let (high, low) = fast_two_sum(1.0, -x);
                return high + fma(-x, $erf_poly(z), low);
            }
            let tail = $tail(x.abs());
            if x > 0.0 { tail } else { 2.0 - tail }
        }
    };
}

error_functions!(f32, erf_f32, erfc_f32, erfc_tail_f32, exp_parts_f32, erf_poly_f32, erfc_poly_f32, 1.2329952, 10.3);
error_functions!(f64, erf_f64, erfc_f64, erfc_tail_f64, exp_parts_f64, erf_poly_f64, erfc_poly_f64, 1.2329951186255526, 27.5);
