//! `asin`, `acos`, `atan`, `atan2`.

use super::coefficients::{asin_poly_f32, asin_poly_f64, atan_poly_f32, atan_poly_f64};

macro_rules! inverses {
    ($float:ident, $asin:ident, $acos:ident, $atan:ident, $atan2:ident, $half:ident, $first_octant:ident, $asin_poly:ident,
     $atan_poly:ident, $limits:ident) => {
        /// `asin(sqrt(z)) = s + low`, `s` the root, for `z = (1 - a) / 2 <= 1/4`: half of `acos(a)`.
        #[inline(always)]
        fn $half(a: $float) -> ($float, $float) {
            use super::support::$float::*;
            // exact for a >= 1/2
            let z = fma(-0.5, a, 0.5);
            let s = sqrt(z);
            let lost = if z > 0.0 { fma(-s, s, z) / (s + s) } else { 0.0 };
            (s, fma(s * z, $asin_poly(z), lost))
        }

        /// The arc sine.
        #[inline]
        pub fn $asin(x: $float) -> $float {
            use super::support::$float::*;
            use $limits::*;
            let a = x.abs();
            if !(a <= 1.0) {
                return (x - x) / (x - x);
            }
            if a < TINY {
                return x;
            }
            if a <= 0.5 {
                let z = x * x;
                return fma(x * z, $asin_poly(z), x);
            }
            let (s, low) = $half(a);
            let (high, rest) = fast_two_sum(PI_2_HI, -2.0 * s);
            (high + (rest + fma(-2.0, low, PI_2_LO))).copysign(x)
        }

        /// The arc cosine.
        #[inline]
        pub fn $acos(x: $float) -> $float {
            use super::support::$float::*;
            use $limits::*;
            let a = x.abs();
            if !(a <= 1.0) {
                return (x - x) / (x - x);
            }
            if a <= 0.5 {
                let z = x * x;
                let tail = fma(x * z, $asin_poly(z), -PI_2_LO);
                let (high, rest) = fast_two_sum(PI_2_HI, -x);
                return high + (rest - tail);
            }
            let (s, low) = $half(a);
            if x > 0.0 {
                return 2.0 * (s + low);
            }
            let (high, rest) = fast_two_sum(PI_HI, -2.0 * s);
            high + (rest + fma(-2.0, low, PI_LO))
        }

        /// `atan(q + low) = q + tail` for `q` in `[0, 1]`.
        #[inline(always)]
        fn $first_octant(q: $float, low: $float) -> $float {
            use super::support::$float::*;
            let z = q * q;
            // The derivative of atan is 1 / (1 + z); a straight line is near enough for the low part.
            fma(q * z, $atan_poly(z), fma(low * z, -0.5, low))
        }

        /// The arc tangent.
        #[inline]
        pub fn $atan(x: $float) -> $float {
            use super::support::$float::*;
            use $limits::*;
            let a = x.abs();
            if a < TINY {
                return x;
            }
            let steep = a > 1.0;
            let q = if steep { 1.0 / a } else { a };
            // What the reciprocal lost; for an infinity nothing (and not NaN).
            let low = if steep && q > 0.0 { fma(-q, a, 1.0) * q } else { 0.0 };
            let tail = $first_octant(q, low);
            let value = if steep {
                let (high, rest) = fast_two_sum(PI_2_HI, -q);
                high + (rest + (PI_2_LO - tail))
            } else {
                q + tail
            };
            value.copysign(x)
        }

        /// The angle of the point `(x, y)`, as C99 `atan2(y, x)`.
        #[inline]
        pub fn $atan2(y: $float, x: $float) -> $float {
            use super::support::$float::*;
            use $limits::*;
            if x.is_nan() || y.is_nan() {
                return x + y;
            }
            let (a, b) = (x.abs(), y.abs());
            let steep = b > a;
            let (large, small) = if steep { (b, a) } else { (a, b) };
            // Powers of two that keep the reciprocal and the quotient's residual in range.
            let step = if large > LARGE {
                DOWN
            } else if large < SMALL {
                UP
            } else {
                1.0
            };
            let (large, small) = (large * step, small * step);
            let inverse = 1.0 / large;
            let q = small * inverse;
            let low = fma(-q, large, small) * inverse;
            // 0/0 counts as 0, infinity/infinity as 1, anything/infinity as 0.
            let (q, low) =
                if large == 0.0 || large == $float::INFINITY { (if small == $float::INFINITY { 1.0 } else { 0.0 }, 0.0) } else { (q, low) };
            let tail = $first_octant(q, low);
            // (0 or pi/2 or pi) plus or minus the angle in the first octant
            let left = x.is_sign_negative();
            let value = if steep {
                let (q, tail) = if left { (q, tail) } else { (-q, -tail) };
                let (high, rest) = fast_two_sum(PI_2_HI, q);
                high + (rest + (PI_2_LO + tail))
            } else if left {
                let (high, rest) = fast_two_sum(PI_HI, -q);
                high + (rest + (PI_LO - tail))
            } else {
                q + tail
            };
            value.copysign(y)
        }
    };
}

mod f32_limits {
    /// Below this the functions round to their argument; it also keeps the sign of zero and cubes in range.
    pub(super) const TINY: f32 = 1.2207031e-04;
    pub(super) const PI_2_HI: f32 = core::f32::consts::FRAC_PI_2;
    pub(super) const PI_2_LO: f32 = -4.371139e-08;
    pub(super) const PI_HI: f32 = core::f32::consts::PI;
    pub(super) const PI_LO: f32 = -8.742278e-08;
    pub(super) const LARGE: f32 = 1.2676506e+30;
    pub(super) const SMALL: f32 = 8.6736174e-19;
    pub(super) const DOWN: f32 = 5.421011e-20;
    pub(super) const UP: f32 = 1.8446744e+19;
}

mod f64_limits {
    pub(super) const TINY: f64 = 7.450580596923828e-09;
    pub(super) const PI_2_HI: f64 = core::f64::consts::FRAC_PI_2;
    pub(super) const PI_2_LO: f64 = 6.123233995736766e-17;
    pub(super) const PI_HI: f64 = core::f64::consts::PI;
    pub(super) const PI_LO: f64 = 1.2246467991473532e-16;
    pub(super) const LARGE: f64 = 8.452712498170644e+270;
    pub(super) const SMALL: f64 = 3.054936363499605e-151;
    pub(super) const DOWN: f64 = 2.409919865102884e-181;
    pub(super) const UP: f64 = 4.149515568880993e+180;
}

inverses!(f32, asin_f32, acos_f32, atan_f32, atan2_f32, half_acos_f32, first_octant_f32, asin_poly_f32, atan_poly_f32, f32_limits);
inverses!(f64, asin_f64, acos_f64, atan_f64, atan2_f64, half_acos_f64, first_octant_f64, asin_poly_f64, atan_poly_f64, f64_limits);
