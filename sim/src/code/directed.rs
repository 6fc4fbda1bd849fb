//! Arithmetic rounded otherwise than to nearest: the nearest result, and from the sign of what it lacks the neighbour.
//!
//! In single precision the rest is computed in double precision. In double precision it comes from error-free transformations; where they
//! would underflow, everything is scaled first.

use super::float::{Rounding, d, directed32, directed64, f, fma64, rd, rf};

/// Which operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Directed {
    Add,
    Sub,
    Mul,
    Fma,
    Div,
    Rcp,
    Sqrt,
}

/// What `nearest` lacks of the exact sum `a + b`.
fn sum_rest(a: f64, b: f64, nearest: f64) -> f64 {
    let part = nearest - a;
    (a - (nearest - part)) + (b - part)
}

/// An infinite result of finite operands lacks everything beyond the largest float.
fn overflow_rest(nearest: f64) -> Option<f64> {
    nearest.is_infinite().then(|| -nearest.signum())
}

impl Directed {
    /// In single precision.
    pub(crate) fn run32(self, a: u32, b: u32, c: u32, rounding: Rounding) -> u32 {
        let (x, y, z) = (f(a), f(b), f(c));
        let (wx, wy, wz) = (f64::from(x), f64::from(y), f64::from(z));
        let (nearest, rest) = match self {
            Directed::Add => (x + y, sum_to_single(wx, wy, x + y)),
            Directed::Sub => (x - y, sum_to_single(wx, -wy, x - y)),
            Directed::Mul => (x * y, wx * wy - f64::from(x * y)),
            Directed::Fma => (x.mul_add(y, z), sum_to_single(wx * wy, wz, x.mul_add(y, z))),
            Directed::Div => (x / y, (-f64::from(x / y)).mul_add(wy, wx) * wy.signum()),
            Directed::Rcp => (1.0 / x, (-f64::from(1.0 / x)).mul_add(wx, 1.0) * wx.signum()),
            Directed::Sqrt => (x.sqrt(), (-f64::from(x.sqrt())).mul_add(f64::from(x.sqrt()), wx)),
        };
        let exact_infinity = matches!(self, Directed::Div if y == 0.0) || matches!(self, Directed::Rcp if x == 0.0);
        let finite = x.is_finite() && y.is_finite() && z.is_finite() && !exact_infinity;
        let rest = if finite { overflow_rest(f64::from(nearest)).unwrap_or(rest) } else { 0.0 };
        let result = directed32(nearest, rest, rounding);
        rf(zero_sum(f64::from(result), self, rounding, (wx, wy, wz)) as f32)
    }

    /// In double precision.
    pub(crate) fn run64(self, a: u64, b: u64, c: u64, rounding: Rounding) -> u64 {
        let (x, y, z) = (d(a), d(b), d(c));
        let nearest = match self {
            Directed::Add => x + y,
            Directed::Sub => x - y,
            Directed::Mul => x * y,
            Directed::Fma => x.mul_add(y, z),
            Directed::Div => x / y,
            Directed::Rcp => 1.0 / x,
            Directed::Sqrt => x.sqrt(),
        };
        let rest = match self {
            Directed::Add => sum_rest(x, y, nearest),
            Directed::Sub => sum_rest(x, -y, nearest),
            Directed::Mul => fma_rest(x, y, 0.0, nearest),
            Directed::Fma => fma_rest(x, y, z, nearest),
            Directed::Div => quotient_rest(x, y, nearest),
            Directed::Rcp => quotient_rest(1.0, x, nearest),
            Directed::Sqrt if x < TINY => (-nearest * SCALE).mul_add(nearest * SCALE, x * SCALE * SCALE),
            Directed::Sqrt => (-nearest).mul_add(nearest, x),
        };
        let exact_infinity = matches!(self, Directed::Div if y == 0.0) || matches!(self, Directed::Rcp if x == 0.0);
        let finite = x.is_finite() && y.is_finite() && z.is_finite() && !exact_infinity;
        let rest = if finite { overflow_rest(nearest).unwrap_or(rest) } else { 0.0 };
        let result = zero_sum(directed64(nearest, rest, rounding), self, rounding, (x, y, z));
        match self {
            Directed::Fma => fma64(result, a, b, c),
            Directed::Add | Directed::Sub | Directed::Mul => rd(result, [b, a]),
            Directed::Div | Directed::Rcp | Directed::Sqrt => rd(result, [a, b]),
        }
    }
}

/// The exact sum of two doubles minus a single: its sign is what counts.
fn sum_to_single(a: f64, b: f64, nearest: f32) -> f64 {
    let sum = a + b;
    let rest = sum_rest(a, b, sum);
    let difference = sum - f64::from(nearest);
    if difference == 0.0 { rest } else { difference }
}

/// Below this, products of what is lacking may underflow: 2^-900.
const TINY: f64 = f64::from_bits((1023 - 900) << 52);
/// Scales tiny values out of the way: 2^300.
const SCALE: f64 = f64::from_bits((1023 + 300) << 52);

/// What the nearest result lacks of `x * y + z`.
fn fma_rest(x: f64, y: f64, z: f64, nearest: f64) -> f64 {
    let (x, y, z, nearest) = if (x * y).abs() >= TINY {
        (x, y, z, nearest)
    } else if z.abs() >= TINY * SCALE || (x * SCALE * (y * SCALE)).abs() < TINY {
        // The product is far below the last place of the addend, which is the nearest result: only its sign counts.
        return if x == 0.0 || y == 0.0 { 0.0 } else { x.signum() * y.signum() };
    } else {
        (x * SCALE, y * SCALE, z * SCALE * SCALE, nearest * SCALE * SCALE)
    };
    let product = x * y;
    let product_rest = x.mul_add(y, -product);
    let low = z + product_rest;
    let low_rest = sum_rest(z, product_rest, low);
    let high = product + low;
    let high_rest = sum_rest(product, low, high);
    ((high - nearest) + high_rest) + low_rest
}

/// What the nearest quotient lacks of `x / y`: its sign is what counts.
fn quotient_rest(x: f64, y: f64, nearest: f64) -> f64 {
    let rest = if nearest.abs() < TINY {
        (-nearest * SCALE * SCALE).mul_add(y, x * SCALE * SCALE)
    } else if x.abs() < TINY {
        (-nearest).mul_add(y * SCALE * SCALE, x * SCALE * SCALE)
    } else {
        (-nearest).mul_add(y, x)
    };
    rest * y.signum()
}

/// An exact sum of zero is -0 when rounding down, unless both addends are +0.
fn zero_sum(result: f64, operation: Directed, rounding: Rounding, (x, y, z): (f64, f64, f64)) -> f64 {
    let (p, q) = match operation {
        Directed::Add => (x, y),
        Directed::Sub => (x, -y),
        Directed::Fma => (x * y, z),
        Directed::Mul | Directed::Div | Directed::Rcp | Directed::Sqrt => return result,
    };
    let cancels = result == 0.0 && p == -q && (p.is_sign_negative() != q.is_sign_negative());
    if cancels && rounding == Rounding::Down { -0.0 } else { result }
}
