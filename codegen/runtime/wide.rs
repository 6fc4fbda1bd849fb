//! 128-bit division and conversions, which other targets have from compiler-rt.
//!
//! Rust passes 128-bit integers as LLVM's `i128` here, as the instructions that these stand in for have them.

/// Quotient and remainder, by shifting and subtracting; as many steps as the quotient has bits. The divisor is not zero: Rust checks.
fn divide(n: u128, d: u128) -> (u128, u128) {
    if d > n {
        return (0, n);
    }
    if (n | d) >> 64 == 0 {
        return ((n as u64 / d as u64) as u128, (n as u64 % d as u64) as u128);
    }
    let mut shift = d.leading_zeros() - n.leading_zeros();
    let (mut quotient, mut rest, mut part) = (0u128, n, d << shift);
    loop {
        quotient <<= 1;
        if rest >= part {
            rest -= part;
            quotient |= 1;
        }
        if shift == 0 {
            return (quotient, rest);
        }
        shift -= 1;
        part >>= 1;
    }
}

#[unsafe(no_mangle)]
fn __threadwise_div_u128(n: u128, d: u128) -> u128 {
    divide(n, d).0
}

#[unsafe(no_mangle)]
fn __threadwise_rem_u128(n: u128, d: u128) -> u128 {
    divide(n, d).1
}

#[unsafe(no_mangle)]
fn __threadwise_div_i128(n: i128, d: i128) -> i128 {
    let quotient = divide(n.unsigned_abs(), d.unsigned_abs()).0 as i128;
    if (n < 0) != (d < 0) { quotient.wrapping_neg() } else { quotient }
}

#[unsafe(no_mangle)]
fn __threadwise_rem_i128(n: i128, d: i128) -> i128 {
    let rest = divide(n.unsigned_abs(), d.unsigned_abs()).1 as i128;
    if n < 0 { rest.wrapping_neg() } else { rest }
}

macro_rules! conversions {
    ($float:ident, $bits:ident, $mantissa:literal, $bias:literal,
     $from_u:ident, $from_i:ident, $to_u:ident, $to_i:ident) => {
        /// Rounds to nearest, ties to even.
        #[unsafe(no_mangle)]
        fn $from_u(n: u128) -> $float {
            if n == 0 {
                return 0.0;
            }
            let zeros = n.leading_zeros();
            // The highest bit becomes the implicit one.
            let top = n << zeros;
            let kept = (top >> (127 - $mantissa)) as $bits;
            let cut = top << ($mantissa + 1);
            let half = 1u128 << 127;
            let up = cut > half || (cut == half && kept & 1 == 1);
            let exponent = (127 - zeros + $bias) as $bits;
            // A carry out of the mantissa raises the exponent, up to infinity.
            let bits = ((exponent - 1) << $mantissa) + kept + up as $bits;
            $float::from_bits(bits)
        }

        #[unsafe(no_mangle)]
        fn $from_i(n: i128) -> $float {
            let size = $from_u(n.unsigned_abs());
            if n < 0 { -size } else { size }
        }

        /// Towards zero; what is out of range to the nearest end, NaN to zero.
        #[unsafe(no_mangle)]
        fn $to_u(x: $float) -> u128 {
            let bits = x.to_bits();
            let exponent = ((bits >> $mantissa) as i32 & (2 * $bias + 1)) - $bias;
            if x != x || x < 1.0 {
                0
            } else if exponent >= 128 {
                u128::MAX
            } else {
                let one: $bits = 1 << $mantissa;
                let significand = ((bits & (one - 1)) | one) as u128;
                if exponent >= $mantissa { significand << (exponent - $mantissa) } else { significand >> ($mantissa - exponent) }
            }
        }

        #[unsafe(no_mangle)]
        fn $to_i(x: $float) -> i128 {
            let size = $to_u(if x < 0.0 { -x } else { x });
            if x < 0.0 {
                if size >= 1 << 127 { i128::MIN } else { -(size as i128) }
            } else if size >= 1 << 127 {
                i128::MAX
            } else {
                size as i128
            }
        }
    };
}

conversions!(
    f32, u32, 23, 127,
    __threadwise_u128_to_f32, __threadwise_i128_to_f32, __threadwise_f32_to_u128, __threadwise_f32_to_i128
);
conversions!(
    f64, u64, 52, 1023,
    __threadwise_u128_to_f64, __threadwise_i128_to_f64, __threadwise_f64_to_u128, __threadwise_f64_to_i128
);
