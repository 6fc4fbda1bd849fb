//! What both precisions share: fused multiply-add, exact sums and products, powers of two, rounding.

/// The operations of one float type, so that the algorithms can be read without the type's bit layout.
macro_rules! support {
    ($float:ident, $bits:ident, $int:ident, $fma:ident, $sqrt:ident, $mantissa:literal, $magic:literal, $bias:literal) => {
        pub(crate) mod $float {
            /// `1.5 * 2^(mantissa bits)`: adding it rounds to an integer, which then stands in the low bits.
            pub(crate) const MAGIC: $float = $magic;
            /// Stored bits of the significand.
            pub(crate) const MANTISSA: u32 = $mantissa;
            /// Exponent bias.
            pub(crate) const BIAS: $int = $bias;

            /// `a * b + c` rounded once.
            #[inline(always)]
            pub(crate) fn fma(a: $float, b: $float, c: $float) -> $float {
                super::super::$fma(a, b, c)
            }

            /// The correctly rounded square root.
            #[inline(always)]
            pub(crate) fn sqrt(x: $float) -> $float {
                super::super::$sqrt(x)
            }

            /// `a * b` as an unevaluated sum of two floats.
            #[inline(always)]
            pub(crate) fn two_product(a: $float, b: $float) -> ($float, $float) {
                let p = a * b;
                (p, fma(a, b, -p))
            }

            /// `a + b` as an unevaluated sum of two floats, for `|a| >= |b|` or `a == 0`.
            #[inline(always)]
            pub(crate) fn fast_two_sum(a: $float, b: $float) -> ($float, $float) {
                let s = a + b;
                (s, (a - s) + b)
            }

            /// `a - b` as an unevaluated sum of two floats, whichever is the larger.
            #[inline(always)]
            pub(crate) fn difference(a: $float, b: $float) -> ($float, $float) {
                let d = a - b;
                let back = d - a;
                (d, (a - (d - back)) - (b + back))
            }

            /// `a * b` rounded to the nearest integer, as float and as integer (meaningless beyond the
            /// integers that the magic number can hold).
            #[inline(always)]
            pub(crate) fn round_fma(a: $float, b: $float) -> ($float, $int) {
                let shifted = fma(a, b, MAGIC);
                let k = (shifted.to_bits() as $int).wrapping_sub(MAGIC.to_bits() as $int);
                (shifted - MAGIC, k)
            }

            /// `2^k` for exponents of normal numbers.
            #[inline(always)]
            pub(crate) fn exp2_int(k: $int) -> $float {
                $float::from_bits((k.wrapping_add(BIAS) as $bits) << MANTISSA)
            }

            /// `y * 2^k` for `y` within a few powers of two of 1 and any `k` whose half is a normal exponent, rounded
            /// once: the first product is exact.
            #[inline(always)]
            pub(crate) fn scale(y: $float, k: $int) -> $float {
                let half = k >> 1;
                y * exp2_int(half) * exp2_int(k.wrapping_sub(half))
            }

            /// The smaller of two, `a` where they do not compare.
            #[inline(always)]
            pub(crate) fn min(a: $float, b: $float) -> $float {
                if a > b { b } else { a }
            }

            /// The larger of two, `a` where they do not compare.
            #[inline(always)]
            pub(crate) fn max(a: $float, b: $float) -> $float {
                if a < b { b } else { a }
            }
        }
    };
}

support!(f32, u32, i32, __threadwise_fma_f32, __threadwise_sqrt_f32, 23, 12582912.0, 127);
support!(f64, u64, i64, __threadwise_fma_f64, __threadwise_sqrt_f64, 52, 6755399441055744.0, 1023);
