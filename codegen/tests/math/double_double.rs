//! An oracle of about 100 bits: unevaluated sums of two `f64`, elementary functions by Taylor series and Newton's
//! iteration, angles by big-integer division. It shares no formula and no coefficient with the code under test;
//! `golden.txt` (from mpmath) checks it in turn.

use std::ops::{Add, Div, Mul, Neg, Sub};
use std::sync::OnceLock;

/// `hi + lo`, with `lo` at most half a last place of `hi`.
#[derive(Clone, Copy, Debug)]
pub struct Dd {
    pub hi: f64,
    pub lo: f64,
}

/// `m * 2^e`: results beyond the range of `f64` keep their precision.
#[derive(Clone, Copy, Debug)]
pub struct Scaled {
    pub m: Dd,
    pub e: i32,
}

pub const LN2: Dd = dd(std::f64::consts::LN_2, 2.3190468138462996e-17);
pub const LN10: Dd = dd(std::f64::consts::LN_10, -2.1707562233822494e-16);
pub const PI_2: Dd = dd(std::f64::consts::FRAC_PI_2, 6.123233995736766e-17);
pub const PI: Dd = dd(std::f64::consts::PI, 1.2246467991473532e-16);
const TWO_OVER_ROOT_PI: Dd = dd(std::f64::consts::FRAC_2_SQRT_PI, 1.533545961316588e-17);

pub const fn dd(hi: f64, lo: f64) -> Dd {
    Dd { hi, lo }
}

fn two_sum(a: f64, b: f64) -> Dd {
    let s = a + b;
    let back = s - a;
    dd(s, (a - (s - back)) + (b - back))
}

fn fast(a: f64, b: f64) -> Dd {
    let s = a + b;
    dd(s, b - (s - a))
}

fn product(a: f64, b: f64) -> Dd {
    let p = a * b;
    dd(p, a.mul_add(b, -p))
}

impl From<f64> for Dd {
    fn from(x: f64) -> Dd {
        dd(x, 0.0)
    }
}

impl Add for Dd {
    type Output = Dd;
    fn add(self, b: Dd) -> Dd {
        let s = two_sum(self.hi, b.hi);
        let t = two_sum(self.lo, b.lo);
        let s = fast(s.hi, s.lo + t.hi);
        fast(s.hi, s.lo + t.lo)
    }
}

impl Neg for Dd {
    type Output = Dd;
    fn neg(self) -> Dd {
        dd(-self.hi, -self.lo)
    }
}

impl Sub for Dd {
    type Output = Dd;
    fn sub(self, b: Dd) -> Dd {
        self + -b
    }
}

impl Mul for Dd {
    type Output = Dd;
    fn mul(self, b: Dd) -> Dd {
        let p = product(self.hi, b.hi);
        fast(p.hi, p.lo + (self.hi * b.lo + self.lo * b.hi))
    }
}

impl Mul<f64> for Dd {
    type Output = Dd;
    fn mul(self, b: f64) -> Dd {
        let p = product(self.hi, b);
        fast(p.hi, p.lo + self.lo * b)
    }
}

impl Div for Dd {
    type Output = Dd;
    fn div(self, b: Dd) -> Dd {
        let q = self.hi / b.hi;
        let r = self - b * q;
        let q2 = r.hi / b.hi;
        let r = r - b * q2;
        fast(q, q2) + Dd::from(r.hi / b.hi)
    }
}

impl Div<f64> for Dd {
    type Output = Dd;
    fn div(self, b: f64) -> Dd {
        let q = self.hi / b;
        let p = product(q, b);
        fast(q, ((self.hi - p.hi) - p.lo + self.lo) / b)
    }
}

impl Dd {
    pub fn sqrt(self) -> Dd {
        if self.hi <= 0.0 {
            return dd(0.0, 0.0);
        }
        let s = self.hi.sqrt();
        let rest = self - product(s, s);
        fast(s, rest.hi / (2.0 * s))
    }

    /// Times a power of two within the range.
    pub fn times_2(self, e: i32) -> Dd {
        let (a, b) = (e / 2, e - e / 2);
        let (a, b) = (2f64.powi(a), 2f64.powi(b));
        dd(self.hi * a * b, self.lo * a * b)
    }

    pub fn scaled(self) -> Scaled {
        Scaled { m: self, e: 0 }
    }
}

/// `x = m 2^e`, `m` in `[1/2, 1)`, for finite `x` but zero.
pub fn frexp(x: f64) -> (f64, i32) {
    let (x, base) = if x.abs() < f64::MIN_POSITIVE { (x * 2f64.powi(54), -54) } else { (x, 0) };
    let e = ((x.to_bits() >> 52) & 0x7ff) as i32 - 1022;
    (f64::from_bits((x.to_bits() & !(0x7ff << 52)) | (1022 << 52)), e + base)
}

fn inverse_factorial(n: usize) -> Dd {
    static TABLE: OnceLock<Vec<Dd>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut all = vec![Dd::from(1.0)];
        for n in 1..40 {
            all.push(all[n - 1] / n as f64);
        }
        all
    })[n]
}

/// The sum of `x^n / n!` over `first, first + step, ...` up to `last`, divided by `x^first`.
fn factorial_series(power: Dd, first: usize, step: usize, last: usize) -> Dd {
    let mut n = last;
    let mut sum = inverse_factorial(n);
    while n > first {
        n -= step;
        sum = sum * power + inverse_factorial(n);
    }
    sum
}

pub fn expm1_small(x: Dd) -> Dd {
    factorial_series(x, 1, 1, 27) * x
}

/// `e^x`; beyond +-20000 the argument is cut there.
pub fn exp(x: Dd) -> Scaled {
    let x = if x.hi.abs() > 20000.0 { Dd::from(20000f64.copysign(x.hi)) } else { x };
    let k = (x.hi / LN2.hi).round();
    let r = (x - LN2 * k) * 0.25;
    let m = factorial_series(r, 0, 1, 21);
    let m = m * m;
    Scaled { m: m * m, e: k as i32 }
}

fn exp_plain(x: Dd) -> Dd {
    let s = exp(x);
    s.m.times_2(s.e)
}

/// The natural logarithm of `x 2^e`, `x` of ordinary size.
pub fn log(x: Dd, e: i32) -> Dd {
    let (m, k) = frexp(x.hi);
    let k = if m < 0.707 { k - 1 } else { k };
    let x = x.times_2(-k);
    let m = log1p(x - Dd::from(1.0));
    if k + e == 0 { m } else { m + LN2 * f64::from(k + e) }
}

/// `log(1 + u)`.
pub fn log1p(u: Dd) -> Dd {
    if u.hi.abs() < 0.1 {
        // 2 atanh(u / (2 + u))
        let v = u / (u + Dd::from(2.0));
        let z = v * v;
        let mut n = 33;
        let mut sum = Dd::from(1.0) / f64::from(n);
        while n > 1 {
            n -= 2;
            sum = sum * z + Dd::from(1.0) / f64::from(n);
        }
        return sum * v * 2.0;
    }
    let x = u + Dd::from(1.0);
    let y = x.hi.ln();
    let e = exp_plain(Dd::from(y));
    Dd::from(y) + (x - e) / (x + e) * 2.0
}

pub fn sin_small(r: Dd) -> Dd {
    factorial_series(-(r * r), 1, 2, 29) * r
}

pub fn cos_small(r: Dd) -> Dd {
    factorial_series(-(r * r), 0, 2, 28)
}

const LIMBS: usize = 22;
type Fixed = [u64; LIMBS];

fn divide(a: &mut Fixed, by: u64) {
    let mut rest = 0u128;
    for limb in a.iter_mut() {
        let n = (rest << 64) | u128::from(*limb);
        *limb = (n / u128::from(by)) as u64;
        rest = n % u128::from(by);
    }
}

fn add(a: &mut Fixed, b: &Fixed) {
    let mut carry = false;
    for i in (0..LIMBS).rev() {
        let (s, c1) = a[i].overflowing_add(b[i]);
        let (s, c2) = s.overflowing_add(u64::from(carry));
        a[i] = s;
        carry = c1 || c2;
    }
}

fn subtract(a: &mut Fixed, b: &Fixed) {
    let mut borrow = false;
    for i in (0..LIMBS).rev() {
        let (s, c1) = a[i].overflowing_sub(b[i]);
        let (s, c2) = s.overflowing_sub(u64::from(borrow));
        a[i] = s;
        borrow = c1 || c2;
    }
}

/// `factor * atan(1 / n)`, first limb the integer part.
fn arc_tangent(factor: u64, n: u64) -> Fixed {
    let mut power = [0; LIMBS];
    power[0] = factor;
    divide(&mut power, n);
    let mut sum = power;
    for i in 1.. {
        divide(&mut power, n * n);
        let mut term = power;
        divide(&mut term, 2 * i + 1);
        if term.iter().all(|&l| l == 0) {
            break;
        }
        if i % 2 == 1 { subtract(&mut sum, &term) } else { add(&mut sum, &term) }
    }
    sum
}

/// pi/2 in fixed point, by Machin's formula.
fn half_pi() -> &'static Fixed {
    static VALUE: OnceLock<Fixed> = OnceLock::new();
    VALUE.get_or_init(|| {
        let mut value = arc_tangent(8, 5);
        subtract(&mut value, &arc_tangent(2, 239));
        value
    })
}

/// The first 128 significant bits of a nonnegative fixed-point number.
fn leading(a: &Fixed) -> Dd {
    let Some(first) = a.iter().position(|&l| l != 0) else { return Dd::from(0.0) };
    let limb = |i: usize| a.get(i).copied().unwrap_or(0);
    let mut sum = Dd::from(0.0);
    for i in first..first + 3 {
        let weight = -64 * i as i32;
        let part = two_sum(((limb(i) >> 32) << 32) as f64, (limb(i) & 0xffff_ffff) as f64);
        sum = sum + part.times_2(weight);
    }
    sum
}

/// `x` modulo pi/2 in `[-pi/4, pi/4]` and the quadrant.
pub fn reduce(x: f64) -> (Dd, u32) {
    if x.abs() < 0.78 {
        return (Dd::from(x), 0);
    }
    let half_pi = half_pi();
    let (m, e) = frexp(x.abs());
    let m = (m * 2f64.powi(53)) as u64;
    let e = e - 53;
    let mut rest = [0; LIMBS];
    let mut q = 0u32;
    // Bits of the integer part from the top: rest = 2 rest + bit, modulo pi/2.
    let integer_bits = 53 + e;
    for i in 0..integer_bits.max(0) {
        let copy = rest;
        add(&mut rest, &copy);
        q = q.wrapping_mul(2);
        if i < 53 {
            rest[0] += (m >> (52 - i)) & 1;
        }
        while rest >= *half_pi {
            subtract(&mut rest, half_pi);
            q = q.wrapping_add(1);
        }
    }
    if e < 0 {
        let fraction = if integer_bits < 0 { m } else { m & ((1 << -e) - 1) };
        let mut part = [0; LIMBS];
        let shift = 64 + e;
        assert!((0..64).contains(&shift), "x is at least 0.78");
        part[1] = fraction << shift;
        add(&mut rest, &part);
        while rest >= *half_pi {
            subtract(&mut rest, half_pi);
            q = q.wrapping_add(1);
        }
    }
    let mut other = *half_pi;
    subtract(&mut other, &rest);
    let (r, q) = if other < rest { (-leading(&other), q.wrapping_add(1)) } else { (leading(&rest), q) };
    if x < 0.0 { (-r, 0u32.wrapping_sub(q)) } else { (r, q) }
}

/// `(sin, cos)`.
pub fn sin_cos(x: f64) -> (Dd, Dd) {
    let (r, q) = reduce(x);
    let (s, c) = (sin_small(r), cos_small(r));
    match q & 3 {
        0 => (s, c),
        1 => (c, -s),
        2 => (-s, -c),
        _ => (-c, s),
    }
}

/// The angle of `(x, y)`, neither infinite nor both zero.
pub fn atan2(y: Dd, x: Dd) -> Dd {
    let start = y.hi.atan2(x.hi);
    let (s, c) = sin_cos(start);
    Dd::from(start) + (y * c - x * s) / (x * c + y * s)
}

/// `(sinh, cosh)` for moderate arguments.
pub fn sinh_cosh(x: Dd) -> (Dd, Dd) {
    let e = exp_plain(x);
    let inverse = Dd::from(1.0) / e;
    let cosh = (e + inverse) * 0.5;
    let sinh = if x.hi.abs() < 0.5 { factorial_series(x * x, 1, 2, 25) * x } else { (e - inverse) * 0.5 };
    (sinh, cosh)
}

pub fn asinh(x: Dd) -> Dd {
    let a = if x.hi < 0.0 { -x } else { x };
    let y = if a.hi > 1e10 {
        log(a, 1) + Dd::from(0.25 / a.hi / a.hi)
    } else {
        // log(1 + a + a^2 / (1 + sqrt(a^2 + 1)))
        let square = a * a;
        let root = (square + Dd::from(1.0)).sqrt();
        log1p(a + square / (root + Dd::from(1.0)))
    };
    if x.hi < 0.0 { -y } else { y }
}

/// `erf` by the series of positive terms; good to about 90 bits up to 6.
pub fn erf(x: f64) -> Dd {
    let square = product(x, x);
    let (mut term, mut sum) = (Dd::from(x), Dd::from(x));
    let mut n = 1.0;
    while term.hi.abs() > sum.hi.abs() * 1e-32 {
        term = term * square * 2.0 / (2.0 * n + 1.0);
        sum = sum + term;
        n += 1.0;
    }
    let e = exp(-square);
    (sum * e.m * TWO_OVER_ROOT_PI).times_2(e.e)
}

/// `erfc` for `x >= -6`: the complement up to 2, then the continued fraction.
pub fn erfc(x: f64) -> Scaled {
    if x < 2.0 {
        return (Dd::from(1.0) - erf(x)).scaled();
    }
    let depth = (800.0 / (x * x)) as i32 + 12;
    let mut tail = Dd::from(x);
    for n in (1..=depth).rev() {
        tail = Dd::from(f64::from(n) / 2.0) / tail + Dd::from(x);
    }
    let e = exp(-product(x, x));
    Scaled { m: e.m * TWO_OVER_ROOT_PI * 0.5 / tail, e: e.e }
}

/// `x^y` for positive finite `x`.
pub fn pow(x: f64, y: f64) -> Scaled {
    let (m, e) = frexp(x);
    let y_cut = y.clamp(-1e30, 1e30);
    exp(log(Dd::from(m), e) * y_cut)
}

pub fn cbrt(x: f64) -> Scaled {
    let (m, e) = frexp(x);
    let third = e.div_euclid(3);
    let m = Dd::from(m).times_2(e - 3 * third);
    let y = m.hi.cbrt();
    let square = product(y, y);
    let y = Dd::from(y) - (square * y - m) / (square * 3.0);
    Scaled { m: y, e: third }
}

pub fn hypot(x: f64, y: f64) -> Scaled {
    let (a, b) = (x.abs().max(y.abs()), x.abs().min(y.abs()));
    let (m, e) = frexp(a);
    // Far below, b does not count; near, the scaling is exact.
    let b = Dd::from(b).times_2(-e).hi;
    Scaled { m: (product(m, m) + product(b, b)).sqrt(), e }
}
