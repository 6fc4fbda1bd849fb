//! `sin`, `cos`, `tan`.

use super::coefficients::{circular_poly_f32, circular_poly_f64, tan_poly_f32, tan_poly_f64};
use super::reduce::{reduce_f32, reduce_f64};

/// One series for sine and cosine, `base + base z p(z)`, with the coefficients selected: threads of a warp that need
/// different ones do not diverge.
macro_rules! circular {
    ($float:ident, $sin:ident, $cos:ident, $tan:ident, $quadrant:ident, $reduce:ident, $circular_poly:ident, $tan_poly:ident,
     $tiny:literal, $keep_low:literal) => {
        /// `sin(x + quarters * pi/2)` for finite `x`.
        #[inline(always)]
        fn $quadrant(x: $float, quarters: u32) -> $float {
            use super::support::$float::*;
            let (r, low, q) = $reduce(x);
            let q = q.wrapping_add(quarters);
            let odd = q & 1 != 0;
            let z = r * r;
            let base = if odd { 1.0 } else { r };
            let shift = if odd { -r * low } else { fma(-0.5 * z, low, low) };
            let shift = if $keep_low { shift } else { 0.0 };
            let value = base + fma(base * z, $circular_poly(z, odd), shift);
            if q & 2 != 0 { -value } else { value }
        }

        /// The sine of an angle in radians.
        #[inline]
        pub fn $sin(x: $float) -> $float {
            // Below this, sin(x) rounds to x; it also keeps the sign of zero.
            if x.abs() < $tiny {
                return x;
            }
            // NaN for infinities
            if x.abs() < $float::INFINITY { $quadrant(x, 0) } else { x - x }
        }

        /// The cosine of an angle in radians.
        #[inline]
        pub fn $cos(x: $float) -> $float {
            if x.abs() < $float::INFINITY { $quadrant(x, 1) } else { x - x }
        }

        /// The tangent of an angle in radians.
        #[inline]
        pub fn $tan(x: $float) -> $float {
            use super::support::$float::*;
            if x.abs() < $tiny {
                return x;
            }
            if !(x.abs() < $float::INFINITY) {
                return x - x;
            }
            let (r, low, q) = $reduce(x);
            let z = r * r;
            let rest = fma(r * z, $tan_poly(z), low);
            let (t, rest) = fast_two_sum(r, fma(low, z, rest));
            if q & 1 == 0 {
                return t;
            }
            // -1 / (t + rest), with one step of Newton's iteration for the rounding of the quotient
            let inverse = -1.0 / t;
            let error = fma(inverse, rest, fma(inverse, t, 1.0));
            fma(inverse, error, inverse)
        }
    };
}

circular!(f32, sin_f32, cos_f32, tan_f32, quadrant_f32, reduce_f32, circular_poly_f32, tan_poly_f32, 2.4414062e-04, false);
circular!(f64, sin_f64, cos_f64, tan_f64, quadrant_f64, reduce_f64, circular_poly_f64, tan_poly_f64, 1.4901161193847656e-08, true);
