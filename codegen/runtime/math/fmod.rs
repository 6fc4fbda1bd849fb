//! The exact remainder (`%` of floats) and `round`.

macro_rules! remainders {
    ($float:ident, $bits:ident, $int:ident, $fmod:ident, $slow:ident, $round:ident, $exponent:ident, $limits:ident) => {
        /// The binary exponent of a positive finite number, subnormal ones included.
        #[inline(always)]
        fn $exponent(x: $float) -> $int {
            use super::support::$float::*;
            let bits = x.to_bits();
            let stored = (bits >> MANTISSA) as $int;
            let below = (bits.leading_zeros() as $int).wrapping_sub(($bits::BITS - 1 - MANTISSA) as $int);
            let stored = if stored == 0 { (1 as $int).wrapping_sub(below) } else { stored };
            stored.wrapping_sub(BIAS)
        }

        /// The remainder of `a / b` for finite `a` and positive finite `b`, where the quotient is large: takes off
        /// multiples of `b 2^n`, each time as many bits of the quotient as one division gives.
        #[cold]
        #[inline(never)]
        fn $slow(a: $float, b: $float) -> $float {
            use super::support::$float::*;
            use $limits::*;
            let mut r = a;
            let b_exponent = $exponent(b);
            while r >= b {
                let n = $exponent(r).wrapping_sub(b_exponent).wrapping_sub(QUOTIENT_BITS);
                let n = if n < 0 { 0 } else { n };
                // 2^n in three factors, since the exponents may be the whole range apart; b grows and stays exact.
                let part = n / 3;
                let factor = exp2_int(part);
                let scaled = b * factor * factor * exp2_int(n.wrapping_sub(part.wrapping_mul(2)));
                // SAFETY: the quotient is positive and less than 2^(QUOTIENT_BITS + 2).
                let quotient = unsafe { (r / scaled).to_int_unchecked::<$int>() } as $float;
                // Exact: a rounded quotient is at most 1 too large, so the result is smaller than `scaled` in magnitude.
                r = fma(-quotient, scaled, r);
                r = if r < 0.0 { r + scaled } else { r };
            }
            r
        }

        /// The remainder of `x / y`, exact, with the sign of `x`.
        #[inline]
        pub fn $fmod(x: $float, y: $float) -> $float {
            use super::support::$float::*;
            use $limits::*;
            let (a, b) = (x.abs(), y.abs());
            if !(a < $float::INFINITY && b > 0.0) {
                return if y.is_nan() { y + x } else { (x - x) / (x - x) };
            }
            if a < b {
                return x;
            }
            let ratio = a / b;
            let r = if ratio < QUOTIENT_LIMIT {
                // SAFETY: the ratio is positive and less than QUOTIENT_LIMIT.
                let quotient = unsafe { ratio.to_int_unchecked::<$int>() } as $float;
                let r = fma(-quotient, b, a);
                if r < 0.0 { r + b } else { r }
            } else {
                $slow(a, b)
            };
            r.copysign(x)
        }

        /// The nearest integer, halves away from zero.
        #[inline]
        pub fn $round(x: $float) -> $float {
            use $limits::*;
            let a = x.abs();
            if !(a < INTEGERS) {
                // Already an integer, infinite, or NaN (quieted).
                return x + 0.0;
            }
            // The largest number below 1/2: adding 1/2 itself would round 0.49999999 up.
            // SAFETY: the sum is less than 2^(mantissa bits) + 1.
            let whole = unsafe { (a + BELOW_HALF).to_int_unchecked::<$int>() } as $float;
            whole.copysign(x)
        }
    };
}

mod f32_limits {
    pub(super) const QUOTIENT_BITS: i32 = 21;
    pub(super) const QUOTIENT_LIMIT: f32 = 8388608.0;
    pub(super) const INTEGERS: f32 = 8388608.0;
    pub(super) const BELOW_HALF: f32 = 0.49999997;
}

mod f64_limits {
    pub(super) const QUOTIENT_BITS: i64 = 50;
    pub(super) const QUOTIENT_LIMIT: f64 = 4503599627370496.0;
    pub(super) const INTEGERS: f64 = 4503599627370496.0;
    pub(super) const BELOW_HALF: f64 = 0.49999999999999994;
}

remainders!(f32, u32, i32, fmod_f32, fmod_slow_f32, round_f32, exponent_f32, f32_limits);
remainders!(f64, u64, i64, fmod_f64, fmod_slow_f64, round_f64, exponent_f64, f64_limits);
