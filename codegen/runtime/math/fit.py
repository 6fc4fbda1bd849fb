#!/usr/bin/env python3
"""Computes the polynomial coefficients of the device math library (needs mpmath).

Each fit is a discrete Remez exchange in 60-digit arithmetic that minimizes
max |w(z) * (p(z) - g(z))| over an interval. Coefficients are rounded to the target format one after
the other from the lowest order up, and the remaining ones are fitted again after each rounding.
The number of terms is the smallest that meets the error goal. `fit.py > coefficients.rs` writes them all.
"""
import struct
from mpmath import mp, mpf

mp.dps = 60


def round_to(value, bits):
    """Nearest f32 or f64, as mpf (coefficients are all normal numbers)."""
    if value == 0:
        return mpf(0)
    m, e = mp.frexp(value)
    return mp.ldexp(mp.nint(mp.ldexp(m, bits)), e - bits)


def shortest(value, bits):
    f = float(value)
    if bits == 53:
        return repr(f)
    pack = struct.pack("<f", f)
    for digits in range(1, 18):
        text = "%.*e" % (digits, f)
        if struct.pack("<f", float(text)) == pack:
            return repr(float(text))
    raise ValueError(value)


def grid(a, b, count):
    return [(a + b) / 2 + (b - a) / 2 * mp.cos(mp.pi * (count - 1 - i) / (count - 1)) for i in range(count)]


def remez(zs, gs, ws, powers):
    """Minimax coefficients of sum c_i z^powers[i] on the grid; returns (coefficients, error)."""
    n = len(powers)
    count = len(zs)
    at = [int(round((count - 1) * (1 - float(mp.cos(mp.pi * i / n))) / 2)) for i in range(n + 1)]
    at = sorted(set(at))
    if len(at) < n + 1:
        at = [i * (count - 1) // n for i in range(n + 1)]
    best = None
    for _ in range(30):
        a = mp.matrix(n + 1, n + 1)
        rhs = mp.matrix(n + 1, 1)
        for row, i in enumerate(at):
            for col, power in enumerate(powers):
                a[row, col] = ws[i] * zs[i] ** power
            a[row, n] = (-1) ** row
            rhs[row] = ws[i] * gs[i]
        try:
            sol = mp.lu_solve(a, rhs)
        except ZeroDivisionError:
            break
        cs = [sol[i] for i in range(n)]
        level = abs(sol[n])
        err = []
        for z, g, w in zip(zs, gs, ws):
            acc = mpf(0)
            last = powers[-1]
            for c, power in zip(reversed(cs), reversed(powers)):
                acc = acc * z ** (last - power) + c
                last = power
            err.append(w * (acc * z ** last - g))
        worst = max(abs(e) for e in err)
        if best is None or worst < best[1]:
            best = (cs, worst)
        if worst < level * mpf("1.02"):
            break
        # one extremum for each run of equal signs, then the n + 1 neighbours with the largest errors
        peaks = []
        for i, e in enumerate(err):
            if peaks and (err[peaks[-1]] >= 0) == (e >= 0):
                if abs(e) > abs(err[peaks[-1]]):
                    peaks[-1] = i
            else:
                peaks.append(i)
        while len(peaks) > n + 1:
            peaks.pop(0 if abs(err[peaks[0]]) < abs(err[peaks[-1]]) else -1)
        if len(peaks) < n + 1:
            break
        at = peaks
    return best


def fit(g, w, a, b, n, bits, points=400):
    zs = grid(mpf(a), mpf(b), points)
    gs = [g(z) for z in zs]
    ws = [w(z) for z in zs]
    fixed = []
    rest = list(gs)
    ideal = remez(zs, rest, ws, list(range(n)))
    current = ideal[0]
    for i in range(n):
        fixed.append(round_to(current[0], bits))
        rest = [r - fixed[-1] * z ** i for r, z in zip(rest, zs)]
        if i + 1 < n:
            again = remez(zs, rest, ws, list(range(i + 1, n)))
            current = again[0] if again else current[1:]
    worst = max(abs(w_ * r) for w_, r in zip(ws, rest))
    # The shortened fits are not always well conditioned: plain rounding may be the better set.
    plain = [round_to(c, bits) for c in ideal[0]]
    plain_worst = max(abs(w_ * (mp.polyval(plain[::-1], z) - g_)) for z, g_, w_ in zip(zs, gs, ws))
    if plain_worst < worst:
        return plain, ideal[1], plain_worst
    return fixed, ideal[1], worst


TINY = mpf(2) ** -40


def series(direct, taylor):
    """`direct`, but the constant `taylor` at arguments where `direct` would be 0/0."""
    return lambda z: mpf(taylor) if abs(z) < TINY else direct(z)


def odd(fn, lead):
    """(fn(x) - x) / x^3 as a function of z = x^2, and its weight for relative error in fn."""
    def g(z):
        if z < TINY:
            return mpf(lead)
        x = mp.sqrt(z)
        return (fn(x) - x) / x ** 3

    def w(z):
        if z < TINY:
            return z
        x = mp.sqrt(z)
        return x ** 3 / fn(x)

    return g, w


LN2 = mp.log(2)
half_ln2 = LN2 / 2 * mpf("1.004")
root = mp.sqrt(2)
log_tail = (
    series(lambda f: (mp.log1p(f) - f + f * f / 2) / f ** 3, mpf(1) / 3),
    lambda f: f ** 3 / mp.log1p(f) if abs(f) > TINY else f * f,
)


def log2_tail(z):
    """log(m) = 2v + 2v^3/3 + v^5 q(z), z = v^2, v = (m - 1)/(m + 1): q."""
    if z < mpf(2) ** -30:
        return mpf(2) / 5 + 2 * z / 7
    v = mp.sqrt(z)
    return (2 * mp.atanh(v) - 2 * v - 2 * v ** 3 / 3) / v ** 5


def log_v_tail(z):
    """log(m) = 2v + v^3 q(z): q."""
    if z < mpf(2) ** -30:
        return mpf(2) / 3 + 2 * z / 5
    v = mp.sqrt(z)
    return (2 * mp.atanh(v) - 2 * v) / v ** 3


V2 = ((root - 1) / (root + 1)) ** 2 * mpf("1.003")


def erfcx_scaled(t):
    """(1 + 2x) exp(x^2) erfc(x) with t = (x - 4)/(x + 4)."""
    x = 4 * (1 + t) / (1 - t)
    return (1 + 2 * x) * mp.exp(x * x) * mp.erfc(x)


# name: (g, w, a, b, goal for f32 or f64)
FITS = {
    # exp(r) = 1 + r + r^2 q(r); weight for expm1
    "EXP": (
        series(lambda r: (mp.exp(r) - 1 - r) / r ** 2, mpf(1) / 2),
        lambda r: r * r / mp.expm1(r) if abs(r) > TINY else r,
        -half_ln2, half_ln2),
    # 2^r = 1 + r q(r)
    "EXP2": (series(lambda r: (2 ** r - 1) / r, LN2), lambda r: r / 2 ** r, -0.502, 0.502),
    # log(1 + f) = f - f^2/2 + f^3 q(f)
    "LOG": (*log_tail, 1 / root - 1 - mpf("1e-3"), root - 1 + mpf("1e-3")),
    # log(m) = 2v + v^3 q(v^2)
    "LOGV": (log_v_tail, lambda z: z / 2, 0, V2),
    # log(m) = 2v + 2v^3/3 + v^5 q(v^2); weight so that two-part arithmetic keeps 10 more bits
    "POW": (log2_tail, lambda z: z * z / 2 * 1024, 0, V2),
    "SIN": (*odd(mp.sin, mpf(-1) / 6), 0, (mp.pi / 4 * mpf("1.002")) ** 2),
    # cos(r) = 1 - z/2 + z^2 q(z)
    "COS": (
        lambda z: mpf(1) / 24 if z < TINY else (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z ** 2,
        lambda z: z * z / mp.cos(mp.sqrt(z)), 0, (mp.pi / 4 * mpf("1.002")) ** 2),
    "TAN": (*odd(mp.tan, mpf(1) / 3), 0, (mp.pi / 4 * mpf("1.002")) ** 2),
    "TANH": (*odd(mp.tanh, mpf(-1) / 3), 0, mpf("0.56") ** 2),
    "SINH": (*odd(mp.sinh, mpf(1) / 6), 0, 1),
    "ASIN": (*odd(mp.asin, mpf(1) / 6), 0, mpf(1) / 4),
    "ATAN": (*odd(mp.atan, mpf(-1) / 3), 0, 1),
    "ATANH": (*odd(mp.atanh, mpf(1) / 3), 0, mpf(1) / 4),
    "ASINH": (*odd(mp.asinh, mpf(-1) / 6), 0, mpf(1) / 4),
    # erf(x) = x + x q(x^2)
    "ERF": (
        lambda z: 2 / mp.sqrt(mp.pi) - 1 if z < TINY else mp.erf(mp.sqrt(z)) / mp.sqrt(z) - 1,
        lambda z: mpf(1) if z < TINY else mp.sqrt(z) / mp.erf(mp.sqrt(z)), 0, 1),
    # (1 + 2x) exp(x^2) erfc(x) in t = (x - 4)/(x + 4), for 1/2 <= x <= 10.1 (f32) or 28 (f64)
    "ERFC_F32": (erfcx_scaled, lambda t: 1 / erfcx_scaled(t), mpf(-3.5) / 4.5, mpf("6.3") / mpf("14.3")),
    "ERFC_F64": (erfcx_scaled, lambda t: 1 / erfcx_scaled(t), mpf(-3.5) / 4.5, mpf(24) / 32),
    # m^(-1/3) on [1/8, 1]: a start for Newton's iteration
    "RCBRT": (lambda m: m ** (-mpf(1) / 3), lambda m: m ** (mpf(1) / 3), mpf(1) / 8, 1),
}
GOALS = {24: mpf(2) ** -28, 53: mpf(2) ** -59}
UNUSED = {"LOG_F64", "LOGV_F32"}
# The arc tangent has one more than its goal asks for: its largest error would be at 1, where users expect pi/4.
FIXED_TERMS = {"RCBRT": 5, "ATAN_F32": 10}


HEADER = """//! Polynomials, lowest order first. Generated by `fit.py`, which says what each one approximates.
//!
//! They are straight-line code and not tables: no loop to unroll, no index to check, constants in the instructions.

macro_rules! horner {
    ($z:ident; $c:expr) => { $c };
    ($z:ident; $c:expr, $($rest:expr),+) => { fma(horner!($z; $($rest),+), $z, $c) };
}

macro_rules! polynomials {
    ($($name:ident($ty:ident) = $($c:expr),+;)*) => {
        $(
            #[inline(always)]
            pub(super) fn $name(z: $ty) -> $ty {
                use super::support::$ty::fma;
                horner!(z; $($c),+)
            }
        )*
    };
}

macro_rules! circular {
    ($($name:ident($ty:ident) = $(($sin:expr, $cos:expr)),+;)*) => {
        $(
            #[inline(always)]
            pub(super) fn $name(z: $ty, cosine: bool) -> $ty {
                use super::support::$ty::fma;
                horner!(z; $(if cosine { $cos } else { $sin }),+)
            }
        )*
    };
}

polynomials! {"""


def main():
    print(HEADER)
    done = {}
    for key, (g, w, a, b) in FITS.items():
        targets = [(24, "_F32"), (53, "_F64")]
        for bits, suffix in targets:
            if key.endswith(("_F32", "_F64")):
                if not key.endswith(suffix):
                    continue
                name = key
            else:
                name = key + suffix
            if name in UNUSED:
                continue
            n = FIXED_TERMS.get(key, FIXED_TERMS.get(name, 3))
            points = 200
            zs = grid(mpf(a), mpf(b), points)
            gs = [g(z) for z in zs]
            ws = [w(z) for z in zs]
            if key not in FIXED_TERMS and name not in FIXED_TERMS:
                while remez(zs, gs, ws, list(range(n)))[1] > GOALS[bits] and n < 30:
                    n += 1
            cs, ideal, real = fit(g, w, a, b, n, bits)
            ty = "f32" if bits == 24 else "f64"
            if name == "ATAN_F32":
                # One unit more in this place and atan(1) rounds to the nearest float of pi/4.
                cs[7] += mp.ldexp(1, mp.frexp(cs[7])[1] - 24)
            done[name] = [shortest(c, bits) for c in cs]
            if key in ("SIN", "COS"):
                continue
            note = f"    // relative error 2^{float(mp.log(real, 2)):.1f}"
            terms = done[name]
            if key == name:
                # erfc: its caller adds the constant term with an error term of its own
                note += f" after the constant term {terms[0]}"
                terms = terms[1:]
            print(note)
            print(f"    {key.removesuffix(suffix).lower()}_poly{suffix.lower()}({ty}) =")
            print("".join(f"        {c},\n" for c in terms)[:-2] + ";", flush=True)
    print("}")
    print("\n// The sine's and the cosine's `base + base z p(z)`, the base being r or 1.\ncircular! {")
    for ty in ("f32", "f64"):
        pairs = zip(done[f"SIN_{ty.upper()}"], ["-0.5"] + done[f"COS_{ty.upper()}"])
        print(f"    circular_poly_{ty}({ty}) =")
        print("".join(f"        ({s}, {c}),\n" for s, c in pairs)[:-2] + ";")
    print("}")


if __name__ == "__main__":
    main()
