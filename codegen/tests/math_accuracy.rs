//! Accuracy of the device math library, run natively: sampled over the full range against an oracle of about 100 bits
//! (`f64`) or the platform's `f64` functions (`f32`). `THREADWISE_EXHAUSTIVE=1` takes every `f32`, and 16 times as
//! many `f64`; see docs/math.md for the measured numbers.

#[path = "math/double_double.rs"]
#[allow(dead_code, unreachable_pub, reason = "shared with math_special_cases.rs")]
mod double_double;
#[path = "math/harness.rs"]
#[allow(dead_code, unreachable_pub, reason = "shared with math_special_cases.rs")]
mod harness;
#[path = "../runtime/math/mod.rs"]
mod math;

use double_double::{self as oracle, Dd, Scaled};
use harness::{binary_f32, binary_f64, unary_f32, unary_f64};

/// A test of one `f32` function against an `f64` one: the interval where its values are interesting, and the limit.
macro_rules! f32_tests {
    ($($name:ident: $function:path, $oracle:expr, $from:expr, $to:expr;)*) => {
        $(
            #[test]
            fn $name() {
                unary_f32(stringify!($name), $function, $oracle, $from, $to);
            }
        )*
    };
}

f32_tests! {
    exp_f32: math::exp::exp_f32, f64::exp, -104.0, 89.0;
    exp2_f32: math::exp::exp2_f32, f64::exp2, -150.0, 128.5;
    exp10_f32: math::exp::exp10_f32, |x| 10f64.powf(x), -46.0, 39.0;
    expm1_f32: math::exp::expm1_f32, f64::exp_m1, -20.0, 89.0;
    log_f32: math::log::log_f32, f64::ln, 0.3, 3.0;
    log2_f32: math::log::log2_f32, f64::log2, 0.3, 3.0;
    log10_f32: math::log::log10_f32, f64::log10, 0.3, 3.0;
    log1p_f32: math::log::log1p_f32, f64::ln_1p, -1.0, 3.0;
    sin_f32: math::trig::sin_f32, f64::sin, -100.0, 100.0;
    cos_f32: math::trig::cos_f32, f64::cos, -100.0, 100.0;
    tan_f32: math::trig::tan_f32, f64::tan, -100.0, 100.0;
    asin_f32: math::inverse_trig::asin_f32, f64::asin, -1.0, 1.0;
    acos_f32: math::inverse_trig::acos_f32, f64::acos, -1.0, 1.0;
    atan_f32: math::inverse_trig::atan_f32, f64::atan, -5.0, 5.0;
    sinh_f32: math::hyperbolic::sinh_f32, f64::sinh, -90.0, 90.0;
    cosh_f32: math::hyperbolic::cosh_f32, f64::cosh, -90.0, 90.0;
    tanh_f32: math::hyperbolic::tanh_f32, f64::tanh, -10.0, 10.0;
    asinh_f32: math::hyperbolic::asinh_f32, f64::asinh, -5.0, 5.0;
    acosh_f32: math::hyperbolic::acosh_f32, |x| 2.0 * (0.5 * (x - 1.0)).sqrt().asinh(), 1.0, 5.0;
    atanh_f32: math::hyperbolic::atanh_f32, |x| 0.5 * (2.0 * x / (1.0 - x)).ln_1p(), -1.0, 1.0;
    cbrt_f32: math::root::cbrt_f32, f64::cbrt, -8.0, 8.0;
}

macro_rules! f64_tests {
    ($($name:ident: $function:path, $oracle:expr, $from:expr, $to:expr;)*) => {
        $(
            #[test]
            fn $name() {
                unary_f64(stringify!($name), $function, $oracle, $from, $to);
            }
        )*
    };
}

/// Series near zero, where the subtraction of 1 would cancel.
fn expm1(x: f64) -> Scaled {
    if x.abs() < 0.3 {
        return oracle::expm1_small(Dd::from(x)).scaled();
    }
    let e = oracle::exp(Dd::from(x));
    if e.e < -200 || e.e > 200 {
        return if x < 0.0 { Dd::from(-1.0).scaled() } else { e };
    }
    Scaled { m: e.m - Dd::from(1.0).times_2(-e.e), e: e.e }
}

/// `(e^|x| +- e^-|x|) / 2`; the second term does not count beyond 100.
fn sinh_cosh(x: f64) -> (Scaled, Scaled) {
    if x.abs() > 100.0 {
        let e = oracle::exp(Dd::from(x.abs()));
        let e = Scaled { m: e.m, e: e.e - 1 };
        return (if x < 0.0 { Scaled { m: -e.m, ..e } } else { e }, e);
    }
    let (s, c) = oracle::sinh_cosh(Dd::from(x));
    (s.scaled(), c.scaled())
}

fn tanh(x: f64) -> Scaled {
    if x.abs() > 100.0 {
        return Dd::from(x.signum()).scaled();
    }
    let (s, c) = oracle::sinh_cosh(Dd::from(x));
    (s / c).scaled()
}

fn one() -> Dd {
    Dd::from(1.0)
}

fn tan(x: f64) -> Scaled {
    let (s, c) = oracle::sin_cos(x);
    (s / c).scaled()
}

/// `sqrt(1 - x^2)`
fn other_leg(x: f64) -> Dd {
    ((one() - Dd::from(x)) * (one() + Dd::from(x))).sqrt()
}

fn atanh(x: f64) -> Scaled {
    let x = Dd::from(x);
    (oracle::log1p(x * 2.0 / (one() - x)) * 0.5).scaled()
}

fn acosh(x: f64) -> Scaled {
    if x > 1e10 {
        // asinh differs by less than 2^-60 of its value here; log(2x) - 1 / (4 x^2)
        return (oracle::log(Dd::from(x), 1) - Dd::from(0.25 / x / x)).scaled();
    }
    (oracle::asinh(((Dd::from(x) - one()) * 0.5).sqrt()) * 2.0).scaled()
}

/// The logarithm of any positive number as `log(m 2^e)`.
fn log(x: f64) -> Dd {
    let (m, e) = oracle::frexp(x);
    oracle::log(Dd::from(m), e)
}

/// Twice: an argument so small that products of it underflow is its own function value.
fn tiny(x: f64, f: impl Fn(Dd) -> Dd) -> Scaled {
    if x.abs() < 1e-100 { Dd::from(x).scaled() } else { f(Dd::from(x)).scaled() }
}

f64_tests! {
    exp_f64: math::exp::exp_f64, |x| oracle::exp(Dd::from(x)), -745.2, 709.8;
    exp2_f64: math::exp::exp2_f64, |x| {
        let k = x.round().clamp(-5000.0, 5000.0);
        let e = oracle::exp(oracle::LN2 * (x - k).clamp(-1.0, 1.0));
        Scaled { m: e.m, e: e.e + k as i32 }
    }, -1075.0, 1024.5;
    exp10_f64: math::exp::exp10_f64, |x| oracle::exp(oracle::LN10 * x.clamp(-5000.0, 5000.0)), -324.0, 309.0;
    expm1_f64: math::exp::expm1_f64, |x| if x.abs() < 1e-100 { Dd::from(x).scaled() } else { expm1(x) }, -40.0, 710.0;
    log_f64: math::log::log_f64, |x| log(x).scaled(), 0.3, 3.0;
    log2_f64: math::log::log2_f64, |x| (log(x) / oracle::LN2).scaled(), 0.3, 3.0;
    log10_f64: math::log::log10_f64, |x| (log(x) / oracle::LN10).scaled(), 0.3, 3.0;
    log1p_f64: math::log::log1p_f64, |x| if x > 1e40 { log(x).scaled() } else { tiny(x, oracle::log1p) }, -1.0, 3.0;
    sin_f64: math::trig::sin_f64, |x| tiny(x, |x| oracle::sin_cos(x.hi).0), -100.0, 100.0;
    cos_f64: math::trig::cos_f64, |x| oracle::sin_cos(x).1.scaled(), -100.0, 100.0;
    tan_f64: math::trig::tan_f64, |x| if x.abs() < 1e-100 { Dd::from(x).scaled() } else { tan(x) }, -100.0, 100.0;
    asin_f64: math::inverse_trig::asin_f64, |x| tiny(x, |x| oracle::atan2(x, other_leg(x.hi))), -1.0, 1.0;
    acos_f64: math::inverse_trig::acos_f64, |x| oracle::atan2(other_leg(x), Dd::from(x)).scaled(), -1.0, 1.0;
    atan_f64: math::inverse_trig::atan_f64, |x| if x.abs() > 1e100 {
        (oracle::PI_2 * x.signum()).scaled()
    } else {
        tiny(x, |x| oracle::atan2(x, one()))
    }, -5.0, 5.0;
    sinh_f64: math::hyperbolic::sinh_f64, |x| if x.abs() < 1e-100 { Dd::from(x).scaled() } else { sinh_cosh(x).0 }, -711.0, 711.0;
    cosh_f64: math::hyperbolic::cosh_f64, |x| sinh_cosh(x).1, -711.0, 711.0;
    tanh_f64: math::hyperbolic::tanh_f64, |x| if x.abs() < 1e-100 { Dd::from(x).scaled() } else { tanh(x) }, -20.0, 20.0;
    asinh_f64: math::hyperbolic::asinh_f64, |x| tiny(x, oracle::asinh), -5.0, 5.0;
    acosh_f64: math::hyperbolic::acosh_f64, acosh, 1.0, 5.0;
    atanh_f64: math::hyperbolic::atanh_f64, |x| if x.abs() < 1e-100 { Dd::from(x).scaled() } else { atanh(x) }, -1.0, 1.0;
    cbrt_f64: math::root::cbrt_f64, oracle::cbrt, -8.0, 8.0;
}

/// erf by the oracle's series; 1 where the rest is below 2^-55.
fn erf(x: f64) -> Scaled {
    if x.abs() > 6.2 {
        return Dd::from(x.signum()).scaled();
    }
    if x.abs() < 1e-100 {
        // the argument may be subnormal
        let (m, e) = oracle::frexp(x);
        return Scaled { m: Dd::from(m) * oracle::erf(1e-60) / 1e-60, e };
    }
    oracle::erf(x).scaled()
}

fn erfc(x: f64) -> Scaled {
    if x < -6.2 { Dd::from(2.0).scaled() } else { oracle::erfc(x.min(1000.0)) }
}

#[test]
fn erf_f32() {
    harness::unary_f32_slow("erf_f32", math::erf::erf_f32, erf, -5.0, 5.0);
}

#[test]
fn erfc_f32() {
    harness::unary_f32_slow("erfc_f32", math::erf::erfc_f32, erfc, -5.0, 10.5);
}

#[test]
fn erf_f64() {
    harness::unary_f64_slow("erf_f64", math::erf::erf_f64, erf, -6.0, 6.0);
}

#[test]
fn erfc_f64() {
    harness::unary_f64_slow("erfc_f64", math::erf::erfc_f64, erfc, -6.0, 28.0);
}

#[test]
fn pow_f32() {
    binary_f32("pow_f32", math::pow::pow_f32, f64::powf, harness::Pairs::Powers);
}

#[test]
fn atan2_f32() {
    binary_f32("atan2_f32", math::inverse_trig::atan2_f32, f64::atan2, harness::Pairs::Near);
}

#[test]
fn hypot_f32() {
    binary_f32("hypot_f32", math::root::hypot_f32, f64::hypot, harness::Pairs::Near);
}

#[test]
fn pow_f64() {
    let of_sign = |x: f64, y: f64| {
        let p = oracle::pow(x.abs(), y);
        if x < 0.0 && y.rem_euclid(2.0) == 1.0 { Scaled { m: -p.m, e: p.e } } else { p }
    };
    binary_f64("pow_f64", math::pow::pow_f64, f64::powf, of_sign, harness::Pairs::Powers);
}

/// Scales the larger coordinate to about 1; a quotient below the range of the pair is taken with its exponent.
fn atan2(y: f64, x: f64) -> Scaled {
    let ((my, ey), (mx, ex)) = (oracle::frexp(y), oracle::frexp(x));
    if ey - ex < -200 && x > 0.0 {
        return Scaled { m: Dd::from(my) / mx, e: ey - ex };
    }
    let e = ey.max(ex);
    let at = |m: f64, e: i32| if e < -300 { Dd::from(0f64.copysign(m)) } else { Dd::from(m).times_2(e) };
    oracle::atan2(at(my, ey - e), at(mx, ex - e)).scaled()
}

#[test]
fn atan2_f64() {
    binary_f64("atan2_f64", math::inverse_trig::atan2_f64, f64::atan2, atan2, harness::Pairs::Near);
}

#[test]
fn hypot_f64() {
    binary_f64("hypot_f64", math::root::hypot_f64, f64::hypot, oracle::hypot, harness::Pairs::Near);
}
