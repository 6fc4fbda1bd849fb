//! Samples, units in the last place, and the four native functions that the device math library asks its host for.

use crate::double_double::{Dd, Scaled};

#[unsafe(no_mangle)]
extern "C" fn __threadwise_sqrt_f32(x: f32) -> f32 {
    x.sqrt()
}

#[unsafe(no_mangle)]
extern "C" fn __threadwise_sqrt_f64(x: f64) -> f64 {
    x.sqrt()
}

#[unsafe(no_mangle)]
extern "C" fn __threadwise_fma_f32(a: f32, b: f32, c: f32) -> f32 {
    a.mul_add(b, c)
}

#[unsafe(no_mangle)]
extern "C" fn __threadwise_fma_f64(a: f64, b: f64, c: f64) -> f64 {
    a.mul_add(b, c)
}

/// What is promised of every function.
const LIMIT: f64 = 2.0;

/// Significand bits and the exponents of the last place of the smallest and of the first number beyond the largest.
#[derive(Clone, Copy)]
pub struct Format {
    bits: i32,
    smallest: i32,
    overflow: i32,
}

pub const SINGLE: Format = Format { bits: 24, smallest: -149, overflow: 128 };
pub const DOUBLE: Format = Format { bits: 53, smallest: -1074, overflow: 1024 };

/// The distance of `got` from the true value in units of the last place of the true value. An infinity counts as
/// the first power of two that the format lacks, as it does in rounding.
pub fn ulps(got: f64, truth: Scaled, format: Format) -> f64 {
    if got.is_nan() || !truth.m.hi.is_finite() {
        return f64::INFINITY;
    }
    let (m, e) = crate::double_double::frexp(if truth.m.hi == 0.0 { f64::MIN_POSITIVE } else { truth.m.hi });
    let e = e + truth.e;
    if e > format.overflow {
        return if got == f64::INFINITY.copysign(m) { 0.0 } else { f64::INFINITY };
    }
    // A true value next to a power of two has the unit of the side it lies on.
    let e = if m.abs() == 0.5 && truth.m.lo * m < 0.0 { e - 1 } else { e };
    let unit = (e - format.bits).max(format.smallest);
    let in_units = |x: f64, e: i32| {
        if x == 0.0 {
            return 0.0;
        }
        let (m, own) = crate::double_double::frexp(x);
        let e = own + e - unit;
        if e < -300 { 0.0 } else { m * 2f64.powi(e.min(1000)) }
    };
    let got = if got.is_infinite() { 1f64.copysign(got) * 2f64.powi((format.overflow - unit).min(1000)) } else { in_units(got, 0) };
    ((got - in_units(truth.m.hi, truth.e)) - in_units(truth.m.lo, truth.e)).abs()
}

/// The largest error seen and where.
struct Worst {
    ulps: f64,
    at: String,
    count: u64,
}

impl Worst {
    fn new() -> Worst {
        Worst { ulps: 0.0, at: String::new(), count: 0 }
    }

    fn see(&mut self, ulps: f64, at: impl FnOnce() -> String) {
        self.count += 1;
        if ulps > self.ulps {
            self.ulps = ulps;
            self.at = at();
        }
    }

    fn report(&self, name: &str) {
        println!("{name}: {:.3} ulp at {} ({} samples)", self.ulps, self.at, self.count);
        assert!(self.ulps <= LIMIT, "{name}: {} ulp at {}", self.ulps, self.at);
    }
}

/// The error, where the platform's function only tells the class of the result: NaN, exact infinity, sign of zero.
fn classified(got: f64, platform: f64, exact_arguments: bool, truth: impl FnOnce() -> Scaled, format: Format) -> f64 {
    let agree = if platform.is_nan() || got.is_nan() {
        platform.is_nan() && got.is_nan()
    } else if exact_arguments {
        got == platform && got.is_sign_negative() == platform.is_sign_negative()
    } else {
        let error = ulps(got, truth(), format);
        return if got.is_sign_negative() == platform.is_sign_negative() { error } else { f64::INFINITY };
    };
    if agree { 0.0 } else { f64::INFINITY }
}

struct Random(u64);

impl Random {
    /// splitmix64
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn within(&mut self, from: f64, to: f64) -> f64 {
        from + (to - from) * ((self.next() >> 11) as f64 / 2f64.powi(53))
    }
}

fn exhaustive() -> bool {
    std::env::var_os("THREADWISE_EXHAUSTIVE").is_some()
}

/// Fewer samples where neither the library nor the oracle is optimized; one call of the 100-bit oracle takes
/// 10 to 100 us there.
fn count(release: u64) -> u64 {
    if cfg!(debug_assertions) { release / 8 } else { release }
}

/// 0, 1, infinity, NaN, the limits of normal and subnormal numbers, and all exponents with extreme significands.
fn edges_f32() -> impl Iterator<Item = f32> {
    (0..256u32)
        .flat_map(|e| [0, 1, 2, 0x3f_ffff, 0x40_0000, 0x7f_fffe, 0x7f_ffff].map(|m| (e << 23) | m))
        .flat_map(|bits| [bits, bits | (1 << 31)])
        .map(f32::from_bits)
}

fn edges_f64() -> impl Iterator<Item = f64> {
    (0..2048u64).flat_map(|e| [0, 1, (1 << 52) - 1].map(|m| (e << 52) | m)).flat_map(|bits| [bits, bits | (1 << 63)]).map(f64::from_bits)
}

fn samples_f32(total: u64, from: f64, to: f64) -> impl Iterator<Item = f32> {
    let mut random = Random(1);
    // An odd stride through all bit patterns: every exponent and sign equally often.
    let stride = ((1u64 << 32) / total).max(1) | 1;
    let all = (0..(1u64 << 32) / stride).map(move |i| f32::from_bits((i * stride) as u32));
    let near = if stride == 1 { 0 } else { total / 2 };
    let near = (0..near).map(move |_| random.within(from, to) as f32);
    edges_f32().chain(all).chain(near)
}

fn samples_f64(total: u64, from: f64, to: f64) -> impl Iterator<Item = f64> {
    let mut random = Random(2);
    let mut more = Random(3);
    let edges = edges_f64().step_by(if cfg!(debug_assertions) { 5 } else { 1 });
    let all = (0..total / 3).map(move |_| f64::from_bits(random.next()));
    let near = (0..total - total / 3).map(move |i| {
        let x = more.within(from, to);
        // A quarter of them close to zero on a logarithmic scale, down to 2^-40.
        if i % 4 == 0 { x * 2f64.powi(-((more.next() % 40) as i32)) } else { x }
    });
    edges.chain(all).chain(near)
}

pub fn unary_f32(name: &str, f: impl Fn(f32) -> f32, oracle: impl Fn(f64) -> f64, from: f64, to: f64) {
    let mut worst = Worst::new();
    let total = if exhaustive() {
        1 << 32
    } else if cfg!(debug_assertions) {
        1 << 22
    } else {
        1 << 23
    };
    for x in samples_f32(total, from, to) {
        let truth = oracle(f64::from(x));
        let got = f64::from(f(x));
        let exact = truth.is_infinite() || truth == 0.0;
        // An overflow of f64 is one of f32, not an exact infinity.
        let error = classified(got, truth, exact, || Dd::from(truth).scaled(), SINGLE);
        worst.see(error, || format!("{x:e} ({:#x}): {got:e}", x.to_bits()));
    }
    worst.report(name);
}

pub fn unary_f32_slow(name: &str, f: impl Fn(f32) -> f32, oracle: impl Fn(f64) -> Scaled, from: f64, to: f64) {
    let mut worst = Worst::new();
    let total = if exhaustive() { 1 << 26 } else { count(1 << 17) };
    for x in samples_f32(total, from, to).filter(|x| x.is_finite() && *x != 0.0) {
        let got = f64::from(f(x));
        let error = ulps(got, oracle(f64::from(x)), SINGLE);
        worst.see(error, || format!("{x:e} ({:#x}): {got:e}", x.to_bits()));
    }
    worst.report(name);
}

pub fn unary_f64_slow(name: &str, f: impl Fn(f64) -> f64, oracle: impl Fn(f64) -> Scaled, from: f64, to: f64) {
    let mut worst = Worst::new();
    let total = count(200_000) * if exhaustive() { 16 } else { 1 } / if cfg!(debug_assertions) { 8 } else { 1 };
    for x in samples_f64(total, from, to).filter(|x| x.is_finite() && *x != 0.0) {
        let got = f(x);
        worst.see(ulps(got, oracle(x), DOUBLE), || format!("{x:e} ({:#x}): {got:e}", x.to_bits()));
    }
    worst.report(name);
}

/// The oracle sees finite arguments that have a finite true value; the special-case tables have the others.
pub fn unary_f64(name: &str, f: impl Fn(f64) -> f64, oracle: impl Fn(f64) -> Scaled, from: f64, to: f64) {
    let mut worst = Worst::new();
    let total = count(200_000) * if exhaustive() { 16 } else { 1 };
    let defined = |x: f64| match name.trim_end_matches("_f64") {
        "log" | "log2" | "log10" => x > 0.0,
        "log1p" => x > -1.0,
        "asin" | "acos" => x.abs() <= 1.0,
        "atanh" => x.abs() < 1.0,
        "acosh" => x >= 1.0,
        _ => true,
    };
    for x in samples_f64(total, from, to).filter(|x| x.is_finite() && *x != 0.0) {
        let got = f(x);
        let error = if defined(x) {
            ulps(got, oracle(x), DOUBLE)
        } else if got.is_nan() || x == -1.0 && got == f64::NEG_INFINITY || x.abs() == 1.0 && got.is_infinite() {
            0.0
        } else {
            f64::INFINITY
        };
        worst.see(error, || format!("{x:e} ({:#x}): {got:e}", x.to_bits()));
    }
    worst.report(name);
}

/// How the two arguments of a sample belong together.
#[derive(Clone, Copy, PartialEq)]
pub enum Pairs {
    /// Of similar size, any signs.
    Near,
    /// A base and an exponent whose power is in range.
    Powers,
}

/// Of three samples one has two arbitrary bit patterns; `limit` is the largest base-2 logarithm of a power.
fn pair(i: u64, random: &mut Random, pairs: Pairs, limit: f64, any: impl Fn(u64) -> f64) -> (f64, f64) {
    let (a, b) = (any(random.next()), any(random.next()));
    match (i % 3, pairs) {
        (0, _) => (a, b),
        (_, Pairs::Near) => {
            let ratio = random.within(-4.0, 4.0) * 2f64.powi((random.next() % 24) as i32 - 12);
            (a, a * ratio)
        }
        (1, Pairs::Powers) => (a, random.within(-limit, limit) / a.abs().log2()),
        (_, Pairs::Powers) => {
            let x = random.within(0.5, 2.0);
            let y = random.within(-limit, limit) / x.log2();
            if i.is_multiple_of(4) { (-x, y.round()) } else { (x, y) }
        }
    }
}

pub fn binary_f32(name: &str, f: impl Fn(f32, f32) -> f32, oracle: impl Fn(f64, f64) -> f64, pairs: Pairs) {
    let mut worst = Worst::new();
    let mut random = Random(4);
    let edges: Vec<f32> = edges_f32().filter(|x| x.to_bits().count_ones() < 10).step_by(5).collect();
    let total = count(1 << 22) * if exhaustive() { 256 } else { 1 };
    let any = |bits: u64| f64::from(f32::from_bits(bits as u32));
    let sampled = (0..total).map(|i| pair(i, &mut random, pairs, 150.0, any)).map(|(x, y)| (x as f32, y as f32));
    let crossed = edges.iter().flat_map(|&x| edges.iter().map(move |&y| (x, y)));
    for (x, y) in crossed.chain(sampled) {
        let truth = oracle(f64::from(x), f64::from(y));
        let got = f64::from(f(x, y));
        // Where the f64 result left its own range, so did the f32 one.
        let exact = truth.is_infinite() || truth == 0.0;
        let error = classified(got, truth, exact, || Dd::from(truth).scaled(), SINGLE);
        worst.see(error, || format!("({x:e}, {y:e}): {got:e}"));
    }
    worst.report(name);
}

pub fn binary_f64(
    name: &str,
    f: impl Fn(f64, f64) -> f64,
    platform: impl Fn(f64, f64) -> f64,
    oracle: impl Fn(f64, f64) -> Scaled,
    pairs: Pairs,
) {
    let mut worst = Worst::new();
    let mut random = Random(5);
    let edges: Vec<f64> = edges_f64().filter(|x| x.to_bits().count_ones() < 12).step_by(41).collect();
    let total = count(200_000) * if exhaustive() { 16 } else { 1 };
    let sampled = (0..total).map(|i| pair(i, &mut random, pairs, 1080.0, f64::from_bits));
    let crossed = edges.iter().flat_map(|&x| edges.iter().map(move |&y| (x, y)));
    for (x, y) in crossed.chain(sampled) {
        let class = platform(x, y);
        let got = f(x, y);
        let exact = !x.is_finite() || !y.is_finite() || x == 0.0 || y == 0.0;
        let error = classified(got, class, exact, || oracle(x, y), DOUBLE);
        worst.see(error, || format!("({x:e}, {y:e}): {got:e}"));
    }
    worst.report(name);
}
