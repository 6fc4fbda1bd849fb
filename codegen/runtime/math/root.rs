//! `cbrt` and `hypot`.

use super::coefficients::{rcbrt_poly_f32, rcbrt_poly_f64};

macro_rules! roots {
    ($float:ident, $bits:ident, $int:ident, $cbrt:ident, $hypot:ident, $rcbrt_poly:ident, $steps:literal, $limits:ident) => {
        /// The cube root.
        #[inline]
        pub fn $cbrt(x: $float) -> $float {
            use super::support::$float::*;
            use $limits::*;
            let a = x.abs();
            if !(a > 0.0 && a < $float::INFINITY) {
                return x + x;
            }
            let small = a < $float::MIN_POSITIVE;
            let a = if small { a * SUBNORMAL_SCALE } else { a };
            let shift = if small { SUBNORMAL_THIRD } else { 0 };
            let bits = a.to_bits();
            // a = m 2^(3 third) with m in [1/8, 1)
            let exponent = ((bits >> MANTISSA) as $int).wrapping_sub(BIAS);
            let third = exponent.wrapping_add(MANY_THIRDS * 3 + 3) / 3 - MANY_THIRDS;
            let m_exponent = exponent.wrapping_sub(third.wrapping_mul(3));
            let m = $float::from_bits((bits & MANTISSA_MASK) | ((m_exponent.wrapping_add(BIAS) as $bits) << MANTISSA));
            // y = m^(-1/3), by Halley's iteration: the error e = 1 - m y^3 becomes one of the order e^3
            let mut y = $rcbrt_poly(m);
            let mut step = 0;
            while step < $steps {
                let e = fma(-(y * y), y * m, 1.0);
                y = fma(y * e, fma(e, 2.0 / 9.0, 1.0 / 3.0), y);
                step += 1;
            }
            // c = m^(1/3), and Newton's correction with the exact residual: (m - c^3) / (3 c^2)
            let c = m * y * y;
            let (square, square_low) = two_product(c, c);
            let residual = fma(-c, square_low, fma(-c, square, m));
            let c = fma(residual * (1.0 / 3.0), y * y, c);
            let root = c * exp2_int(third.wrapping_sub(shift));
            root.copysign(x)
        }

        /// `sqrt(x^2 + y^2)` without overflow or underflow in between.
        #[inline]
        pub fn $hypot(x: $float, y: $float) -> $float {
            use super::support::$float::*;
            use $limits::*;
            let (a, b) = (x.abs(), y.abs());
            if a == $float::INFINITY || b == $float::INFINITY {
                return $float::INFINITY;
            }
            let (a, b) = if a < b { (b, a) } else { (a, b) };
            // Both steps are powers of two, and outside these limits the square of the larger one leaves the range.
            let (down, up) = if a > HYPOT_LARGE {
                (HYPOT_DOWN, HYPOT_UP)
            } else if a < HYPOT_SMALL {
                (HYPOT_UP, HYPOT_DOWN)
            } else {
                (1.0, 1.0)
            };
            let (a, b) = (a * down, b * down);
            let (square, lost) = two_product(a, a);
            let (other, other_lost) = two_product(b, b);
            let (sum, rest) = fast_two_sum(square, other);
            sqrt(sum + (rest + (lost + other_lost))) * up
        }
    };
}

mod f32_limits {
    pub(super) const SUBNORMAL_SCALE: f32 = 16777216.0;
    pub(super) const SUBNORMAL_THIRD: i32 = 8;
    pub(super) const MANTISSA_MASK: u32 = 0x007f_ffff;
    pub(super) const MANY_THIRDS: i32 = 64;
    pub(super) const HYPOT_LARGE: f32 = 1.1529215e+18;
    pub(super) const HYPOT_SMALL: f32 = 8.6736174e-19;
    pub(super) const HYPOT_DOWN: f32 = 7.888609e-31;
    pub(super) const HYPOT_UP: f32 = 1.2676506e+30;
}

mod f64_limits {
    pub(super) const SUBNORMAL_SCALE: f64 = 18014398509481984.0;
    pub(super) const SUBNORMAL_THIRD: i64 = 18;
    pub(super) const MANTISSA_MASK: u64 = 0x000f_ffff_ffff_ffff;
    pub(super) const MANY_THIRDS: i64 = 512;
    pub(super) const HYPOT_LARGE: f64 = 3.273390607896142e+150;
    pub(super) const HYPOT_SMALL: f64 = 3.054936363499605e-151;
    pub(super) const HYPOT_DOWN: f64 = 1.90109156629516e-211;
    pub(super) const HYPOT_UP: f64 = 5.260135901548374e+210;
}

roots!(f32, u32, i32, cbrt_f32, hypot_f32, rcbrt_poly_f32, 1, f32_limits);
roots!(f64, u64, i64, cbrt_f64, hypot_f64, rcbrt_poly_f64, 2, f64_limits);
