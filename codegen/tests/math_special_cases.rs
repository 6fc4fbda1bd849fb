//! The device math library where the answer is exact: special values after C99 annex F, remainders, rounding, integer
//! powers. And the golden values of mpmath, which check the oracle of `math_accuracy.rs` as well as the library.

#[path = "math/double_double.rs"]
#[allow(dead_code, unreachable_pub, reason = "shared with math_accuracy.rs")]
mod double_double;
#[path = "math/harness.rs"]
#[allow(dead_code, unreachable_pub, reason = "shared with math_accuracy.rs")]
mod harness;
#[path = "../runtime/math/mod.rs"]
mod math;

use double_double::{self as oracle, Dd, Scaled};
use harness::{DOUBLE, ulps};

/// The special values for one float type; both types have the same tables.
macro_rules! special_cases {
    ($float:ident, $module:ident, $bits:ident,
     $exp:ident $exp2:ident $exp10:ident $expm1:ident $log:ident $log2:ident $log10:ident $log1p:ident $sin:ident $cos:ident $tan:ident
     $asin:ident $acos:ident $atan:ident $sinh:ident $cosh:ident $tanh:ident $asinh:ident $acosh:ident $atanh:ident $cbrt:ident
     $round:ident $erf:ident $erfc:ident $pow:ident $powi:ident $atan2:ident $hypot:ident $fmod:ident) => {
        mod $module {
            use super::math::erf::{$erf, $erfc};
            use super::math::exp::{$exp, $exp2, $exp10, $expm1};
            use super::math::fmod::{$fmod, $round};
            use super::math::hyperbolic::{$acosh, $asinh, $atanh, $cosh, $sinh, $tanh};
            use super::math::inverse_trig::{$acos, $asin, $atan, $atan2};
            use super::math::log::{$log, $log1p, $log2, $log10};
            use super::math::pow::{$pow, $powi};
            use super::math::root::{$cbrt, $hypot};
            use super::math::trig::{$cos, $sin, $tan};
            use std::$float::consts::*;

            const INF: $float = $float::INFINITY;
            const NAN: $float = $float::NAN;
            const MAX: $float = $float::MAX;
            /// The smallest subnormal.
            const SMALL: $float = $float::from_bits(1);

            fn same(got: $float, expected: $float) -> bool {
                got.to_bits() == expected.to_bits() || got.is_nan() && expected.is_nan()
            }

            fn table(name: &str, f: impl Fn($float) -> $float, cases: &[($float, $float)]) {
                assert!(f(NAN).is_nan(), "{name}(NaN)");
                for &(x, expected) in cases {
                    assert!(same(f(x), expected), "{name}({x:e}) = {:e}, not {expected:e}", f(x));
                }
            }

            fn table_2(name: &str, f: impl Fn($float, $float) -> $float, cases: &[($float, $float, $float)]) {
                for &(x, y, expected) in cases {
                    assert!(same(f(x, y), expected), "{name}({x:e}, {y:e}) = {:e}, not {expected:e}", f(x, y));
                }
            }

            #[test]
            fn exponentials() {
                let powers = [(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0), (SMALL, 1.0), (MAX, INF), (-MAX, 0.0)];
                table("exp", $exp, &powers);
                table("exp2", $exp2, &powers);
                table("exp10", $exp10, &powers);
                table(
                    "expm1",
                    $expm1,
                    &[(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -1.0), (SMALL, SMALL), (-SMALL, -SMALL), (MAX, INF), (-MAX, -1.0)],
                );
            }

            #[test]
            fn exp2_of_integers_is_exact() {
                let (lowest, limit) = if $bits::BITS == 32 { (-149, 128) } else { (-1074, 1024) };
                for k in lowest..limit {
                    let expected = if k < $float::MIN_EXP - 1 {
                        $float::from_bits(1 << (k - lowest))
                    } else {
                        $float::from_bits(((k - $float::MIN_EXP + 2) as $bits) << ($float::MANTISSA_DIGITS - 1))
                    };
                    assert_eq!($exp2(k as $float), expected, "2^{k}");
                    assert_eq!($log2(expected), k as $float, "log2 of 2^{k}");
                }
                assert_eq!($exp2(limit as $float), INF);
                assert_eq!($exp2(lowest as $float - 1.0), 0.0, "a tie, to even");
            }

            #[test]
            fn logarithms() {
                let cases = [(1.0, 0.0), (0.0, -INF), (-0.0, -INF), (INF, INF), (-1.0, NAN), (-INF, NAN), (-SMALL, NAN)];
                table("log", $log, &cases);
                table("log2", $log2, &cases);
                table("log10", $log10, &cases);
                table(
                    "log1p",
                    $log1p,
                    &[(0.0, 0.0), (-0.0, -0.0), (-1.0, -INF), (INF, INF), (-2.0, NAN), (-INF, NAN), (SMALL, SMALL), (-SMALL, -SMALL)],
                );
                table("log10", $log10, &[(10.0, 1.0), (100.0, 2.0), (1000.0, 3.0), (1e10, 10.0)]);
            }

            #[test]
            fn trigonometry() {
                table("sin", $sin, &[(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN), (SMALL, SMALL), (-SMALL, -SMALL)]);
                table("cos", $cos, &[(0.0, 1.0), (-0.0, 1.0), (INF, NAN), (-INF, NAN), (SMALL, 1.0)]);
                table("tan", $tan, &[(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN), (SMALL, SMALL), (-SMALL, -SMALL)]);
                table(
                    "asin",
                    $asin,
                    &[(0.0, 0.0), (-0.0, -0.0), (1.0, FRAC_PI_2), (-1.0, -FRAC_PI_2), (1.5, NAN), (INF, NAN), (-INF, NAN), (SMALL, SMALL)],
                );
                table(
                    "acos",
                    $acos,
                    &[(1.0, 0.0), (0.0, FRAC_PI_2), (-0.0, FRAC_PI_2), (-1.0, PI), (-1.5, NAN), (INF, NAN), (SMALL, FRAC_PI_2)],
                );
                table(
                    "atan",
                    $atan,
                    &[(0.0, 0.0), (-0.0, -0.0), (1.0, FRAC_PI_4), (INF, FRAC_PI_2), (-INF, -FRAC_PI_2), (MAX, FRAC_PI_2), (SMALL, SMALL)],
                );
            }

            #[test]
            fn angle_of_a_point() {
                let three_quarters = 3.0 * FRAC_PI_4;
                table_2(
                    "atan2",
                    $atan2,
                    &[
                        (0.0, 0.0, 0.0),
                        (-0.0, 0.0, -0.0),
                        (0.0, -0.0, PI),
                        (-0.0, -0.0, -PI),
                        (0.0, 1.0, 0.0),
                        (-0.0, 1.0, -0.0),
                        (0.0, -1.0, PI),
                        (-0.0, -1.0, -PI),
                        (1.0, 0.0, FRAC_PI_2),
                        (1.0, -0.0, FRAC_PI_2),
                        (-1.0, 0.0, -FRAC_PI_2),
                        (-1.0, -0.0, -FRAC_PI_2),
                        (1.0, INF, 0.0),
                        (-1.0, INF, -0.0),
                        (1.0, -INF, PI),
                        (-1.0, -INF, -PI),
                        (INF, 1.0, FRAC_PI_2),
                        (-INF, 1.0, -FRAC_PI_2),
                        (INF, -1.0, FRAC_PI_2),
                        (-INF, -1.0, -FRAC_PI_2),
                        (INF, INF, FRAC_PI_4),
                        (-INF, INF, -FRAC_PI_4),
                        (INF, -INF, three_quarters),
                        (-INF, -INF, -three_quarters),
                        (NAN, 1.0, NAN),
                        (1.0, NAN, NAN),
                        (NAN, INF, NAN),
                        (INF, NAN, NAN),
                        (0.0, NAN, NAN),
                        (SMALL, SMALL, FRAC_PI_4),
                        (MAX, MAX, FRAC_PI_4),
                        (SMALL, MAX, 0.0),
                        (SMALL, 1.0, SMALL),
                        (MAX, SMALL, FRAC_PI_2),
                        (SMALL, -MAX, PI),
                        (INF, 0.0, FRAC_PI_2),
                        (0.0, INF, 0.0),
                        (0.0, -INF, PI),
                    ],
                );
            }

            #[test]
            fn hyperbolic() {
                let odd = [(0.0, 0.0), (-0.0, -0.0), (SMALL, SMALL), (-SMALL, -SMALL)];
                let unbounded = [(INF, INF), (-INF, -INF)];
                for (name, f) in [("sinh", $sinh as fn($float) -> $float), ("tanh", $tanh), ("asinh", $asinh), ("atanh", $atanh)] {
                    table(name, f, &odd);
                }
                table("sinh", $sinh, &unbounded);
                table("sinh", $sinh, &[(MAX, INF), (-MAX, -INF)]);
                table("cosh", $cosh, &[(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, INF), (MAX, INF), (SMALL, 1.0)]);
                table("tanh", $tanh, &[(INF, 1.0), (-INF, -1.0), (MAX, 1.0), (-MAX, -1.0)]);
                table("asinh", $asinh, &unbounded);
                table("acosh", $acosh, &[(1.0, 0.0), (INF, INF), (0.5, NAN), (-1.0, NAN), (-INF, NAN)]);
                table("atanh", $atanh, &[(1.0, INF), (-1.0, -INF), (1.5, NAN), (-INF, NAN), (INF, NAN)]);
            }

            #[test]
            fn roots() {
                table("cbrt", $cbrt, &[(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (8.0, 2.0), (-27.0, -3.0), (1e9, 1e3)]);
                table_2(
                    "hypot",
                    $hypot,
                    &[
                        (3.0, 4.0, 5.0),
                        (-3.0, 4.0, 5.0),
                        (0.0, 0.0, 0.0),
                        (-0.0, -0.0, 0.0),
                        (INF, NAN, INF),
                        (NAN, -INF, INF),
                        (NAN, 1.0, NAN),
                        (1.0, NAN, NAN),
                        (INF, 1.0, INF),
                        (1.0, -INF, INF),
                        (MAX, MAX, INF),
                        (MAX, 0.0, MAX),
                        (SMALL, 0.0, SMALL),
                        (0.0, -SMALL, SMALL),
                        (3.0 * SMALL, 4.0 * SMALL, 5.0 * SMALL),
                    ],
                );
            }

            #[test]
            fn error_functions() {
                table("erf", $erf, &[(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (MAX, 1.0), (-MAX, -1.0)]);
                table("erfc", $erfc, &[(0.0, 1.0), (-0.0, 1.0), (INF, 0.0), (-INF, 2.0), (MAX, 0.0), (-MAX, 2.0)]);
            }

            #[test]
            fn powers() {
                let odd = 3.0;
                let beyond_odd = (2.0 as $float).powi($float::MANTISSA_DIGITS as i32);
                let largest_odd = beyond_odd - 1.0;
                table_2(
                    "pow",
                    $pow,
                    &[
                        (0.0, -odd, INF),
                        (-0.0, -odd, -INF),
                        (0.0, -2.0, INF),
                        (-0.0, -2.0, INF),
                        (0.0, -0.5, INF),
                        (-0.0, -0.5, INF),
                        (0.0, -INF, INF),
                        (-0.0, -INF, INF),
                        (0.0, odd, 0.0),
                        (-0.0, odd, -0.0),
                        (0.0, 2.0, 0.0),
                        (-0.0, 2.0, 0.0),
                        (-0.0, 0.5, 0.0),
                        (0.0, INF, 0.0),
                        (-0.0, INF, 0.0),
                        (-1.0, INF, 1.0),
                        (-1.0, -INF, 1.0),
                        (1.0, NAN, 1.0),
                        (1.0, INF, 1.0),
                        (NAN, 0.0, 1.0),
                        (NAN, -0.0, 1.0),
                        (INF, 0.0, 1.0),
                        (0.0, 0.0, 1.0),
                        (-2.0, 0.5, NAN),
                        (-2.0, -0.5, NAN),
                        (0.5, -INF, INF),
                        (-0.5, -INF, INF),
                        (2.0, -INF, 0.0),
                        (-2.0, -INF, 0.0),
                        (0.5, INF, 0.0),
                        (-0.5, INF, 0.0),
                        (2.0, INF, INF),
                        (-2.0, INF, INF),
                        (-INF, -odd, -0.0),
                        (-INF, -2.0, 0.0),
                        (-INF, -0.5, 0.0),
                        (-INF, odd, -INF),
                        (-INF, 2.0, INF),
                        (-INF, 0.5, INF),
                        (INF, -1.0, 0.0),
                        (INF, 1.0, INF),
                        (NAN, 1.0, NAN),
                        (2.0, NAN, NAN),
                        (NAN, NAN, NAN),
                        (-1.0, largest_odd, -1.0),
                        (-1.0, beyond_odd, 1.0),
                        (-1.0, MAX, 1.0),
                        (-1.0, 0.5, NAN),
                        (-0.0, -largest_odd, -INF),
                        (-0.0, -beyond_odd, INF),
                        (2.0, 10.0, 1024.0),
                        (-2.0, odd, -8.0),
                        (3.0, 4.0, 81.0),
                        (MAX, 1.0, MAX),
                        (SMALL, 1.0, SMALL),
                        (MAX, 2.0, INF),
                        (-MAX, odd, -INF),
                        (SMALL, 2.0, 0.0),
                        (-SMALL, odd, -0.0),
                        (2.0, MAX, INF),
                        (2.0, -MAX, 0.0),
                        (0.5, MAX, 0.0),
                        (2.0, SMALL, 1.0),
                        (4.0, 0.5, 2.0),
                    ],
                );
            }

            #[test]
            fn integer_powers_as_llvm_computes_them() {
                for x in [0.0, -0.0, 1.0, -1.0, 1.0001, -1.7, 0.3, 10.0, INF, -INF, NAN, MAX, SMALL, -SMALL] {
                    for n in (-300..300).chain([i32::MIN, i32::MIN + 1, i32::MAX, 65536, -65537]) {
                        let expected = std::hint::black_box(x as $float).powi(std::hint::black_box(n));
                        assert!(same($powi(x, n), expected), "{x:e} ^ {n} = {:e}, not {expected:e}", $powi(x, n));
                    }
                }
            }

            /// splitmix64
            fn random(state: &mut u64) -> u64 {
                *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                z ^ (z >> 31)
            }

            #[test]
            fn remainders_are_exact() {
                table_2(
                    "fmod",
                    $fmod,
                    &[
                        (5.5, 2.0, 1.5),
                        (-5.5, 2.0, -1.5),
                        (5.5, -2.0, 1.5),
                        (0.0, 1.0, 0.0),
                        (-0.0, 1.0, -0.0),
                        (6.0, 3.0, 0.0),
                        (-6.0, 3.0, -0.0),
                        (1.0, 0.0, NAN),
                        (0.0, 0.0, NAN),
                        (INF, 1.0, NAN),
                        (-INF, 1.0, NAN),
                        (1.0, INF, 1.0),
                        (-1.0, -INF, -1.0),
                        (INF, INF, NAN),
                        (NAN, 1.0, NAN),
                        (1.0, NAN, NAN),
                        (INF, NAN, NAN),
                        (NAN, 0.0, NAN),
                        (MAX, SMALL, 0.0),
                        (-0.0, -1.0, -0.0),
                    ],
                );
                let mut state = 1;
                for i in 0..200_000u32 {
                    let x = $float::from_bits(random(&mut state) as $bits);
                    let y = $float::from_bits(random(&mut state) as $bits);
                    let near = x * (random(&mut state) % 1000) as $float / 977.0;
                    let whole = y * (random(&mut state) % 100_000) as $float;
                    let (x, y) = [(x, y), (x, near), (near, x), (whole, y)][i as usize % 4];
                    assert!(same($fmod(x, y), x % y), "{x:e} % {y:e} = {:e}, not {:e}", $fmod(x, y), x % y);
                }
                // Exponents as far apart as they can be.
                for i in 0..$float::MAX_EXP as $bits * 2 - 2 {
                    let y = $float::from_bits((i << ($float::MANTISSA_DIGITS - 1)) | 0x2_aaab);
                    assert!(same($fmod(MAX, y), MAX % y), "MAX % {y:e}");
                    assert!(same($fmod(1.0, y), 1.0 % y), "1 % {y:e}");
                }
            }

            #[test]
            fn halves_round_away_from_zero() {
                table(
                    "round",
                    $round,
                    &[
                        (0.0, 0.0),
                        (-0.0, -0.0),
                        (0.5, 1.0),
                        (-0.5, -1.0),
                        (1.5, 2.0),
                        (2.5, 3.0),
                        (-2.5, -3.0),
                        (0.49999997, (0.49999997 as $float).round()),
                        (INF, INF),
                        (-INF, -INF),
                        (MAX, MAX),
                        (SMALL, 0.0),
                        (-SMALL, -0.0),
                        (0.5 - $float::EPSILON / 4.0, 0.0),
                        (1.0 / $float::EPSILON, 1.0 / $float::EPSILON),
                        (0.5 / $float::EPSILON - 0.5, 0.5 / $float::EPSILON),
                        (1.0 / $float::EPSILON + 1.0, 1.0 / $float::EPSILON + 1.0),
                    ],
                );
                let mut state = 2;
                for _ in 0..200_000 {
                    let any = $float::from_bits(random(&mut state) as $bits);
                    let near = (random(&mut state) % 100_000) as $float / 64.0 - 700.0;
                    for x in [any, near] {
                        assert!(same($round(x), x.round()), "round({x:e})");
                    }
                }
            }
        }
    };
}

special_cases!(f32, single, u32,
    exp_f32 exp2_f32 exp10_f32 expm1_f32 log_f32 log2_f32 log10_f32 log1p_f32 sin_f32 cos_f32 tan_f32
    asin_f32 acos_f32 atan_f32 sinh_f32 cosh_f32 tanh_f32 asinh_f32 acosh_f32 atanh_f32 cbrt_f32
    round_f32 erf_f32 erfc_f32 pow_f32 powi_f32 atan2_f32 hypot_f32 fmod_f32);
special_cases!(f64, double, u64,
    exp_f64 exp2_f64 exp10_f64 expm1_f64 log_f64 log2_f64 log10_f64 log1p_f64 sin_f64 cos_f64 tan_f64
    asin_f64 acos_f64 atan_f64 sinh_f64 cosh_f64 tanh_f64 asinh_f64 acosh_f64 atanh_f64 cbrt_f64
    round_f64 erf_f64 erfc_f64 pow_f64 powi_f64 atan2_f64 hypot_f64 fmod_f64);

/// What the library computes for a golden line.
fn library(name: &str, x: f64, y: f64) -> f64 {
    use math::{erf, exp, hyperbolic, inverse_trig, log, pow, root, trig};
    match name {
        "exp" => exp::exp_f64(x),
        "exp2" => exp::exp2_f64(x),
        "exp10" => exp::exp10_f64(x),
        "expm1" => exp::expm1_f64(x),
        "log" => log::log_f64(x),
        "log2" => log::log2_f64(x),
        "log10" => log::log10_f64(x),
        "log1p" => log::log1p_f64(x),
        "sin" => trig::sin_f64(x),
        "cos" => trig::cos_f64(x),
        "tan" => trig::tan_f64(x),
        "asin" => inverse_trig::asin_f64(x),
        "acos" => inverse_trig::acos_f64(x),
        "atan" => inverse_trig::atan_f64(x),
        "sinh" => hyperbolic::sinh_f64(x),
        "cosh" => hyperbolic::cosh_f64(x),
        "tanh" => hyperbolic::tanh_f64(x),
        "asinh" => hyperbolic::asinh_f64(x),
        "acosh" => hyperbolic::acosh_f64(x),
        "atanh" => hyperbolic::atanh_f64(x),
        "cbrt" => root::cbrt_f64(x),
        "erf" => erf::erf_f64(x),
        "erfc" => erf::erfc_f64(x),
        "pow" => pow::pow_f64(x, y),
        "atan2" => inverse_trig::atan2_f64(x, y),
        "hypot" => root::hypot_f64(x, y),
        other => panic!("no function {other}"),
    }
}

/// What the oracle's building blocks compute; those that the accuracy tests derive by one exact step are left out.
fn reference(name: &str, x: f64, y: f64) -> Option<Scaled> {
    let d = Dd::from;
    Some(match name {
        "exp" => oracle::exp(d(x)),
        "log" => {
            let (m, e) = oracle::frexp(x);
            oracle::log(d(m), e).scaled()
        }
        "log1p" => oracle::log1p(d(x)).scaled(),
        "sin" => oracle::sin_cos(x).0.scaled(),
        "cos" => oracle::sin_cos(x).1.scaled(),
        "atan" => oracle::atan2(d(x), d(1.0)).scaled(),
        "atan2" => oracle::atan2(d(x), d(y)).scaled(),
        "sinh" => oracle::sinh_cosh(d(x)).0.scaled(),
        "cosh" => oracle::sinh_cosh(d(x)).1.scaled(),
        "asinh" => oracle::asinh(d(x)).scaled(),
        "cbrt" => oracle::cbrt(x),
        "hypot" => oracle::hypot(x, y),
        "pow" => oracle::pow(x, y),
        "erf" => oracle::erf(x).scaled(),
        "erfc" => oracle::erfc(x),
        _ => return None,
    })
}

#[test]
fn golden_values() {
    let number = |bits: &str| f64::from_bits(u64::from_str_radix(bits, 16).expect("16 hexadecimal digits"));
    for line in include_str!("math/golden.txt").lines() {
        let fields: Vec<&str> = line.split(' ').collect();
        let [name, x, y, hi, lo, e] = fields[..] else { panic!("six fields: {line}") };
        let (x, y) = (number(x), if y == "-" { 0.0 } else { number(y) });
        let truth = Scaled { m: oracle::dd(number(hi), number(lo)), e: e.parse().expect("an exponent") };
        let error = ulps(library(name, x, y), truth, DOUBLE);
        assert!(error <= 2.0, "{name}({x:e}, {y:e}): {error} ulp");
        if let Some(r) = reference(name, x, y) {
            // Both as multiples of 2^(truth.e), which is where m is about 1.
            let difference = (r.m.times_2(r.e - truth.e) - truth.m).hi.abs();
            assert!(difference < 2f64.powi(-75), "the oracle's {name}({x:e}, {y:e}) is off by {difference:e}");
        }
    }
}
