#!/usr/bin/env python3
"""Writes golden.txt (needs mpmath): true values that check the test oracle and the library.

Each line: function, argument bits, second argument bits or -, and the value as m 2^e with m in two f64 (bits), e.
"""
import random
import struct
from mpmath import mp, mpf

mp.prec = 2400
random.seed(7)


def bits(x):
    return "%016x" % struct.unpack("<Q", struct.pack("<d", x))[0]


def from_bits(b):
    return struct.unpack("<d", struct.pack("<Q", b))[0]


def line(name, args, value):
    m, e = mp.frexp(value) if value else (mpf(0), 0)
    hi = float(m)
    lo = float(m - mpf(hi))
    second = bits(args[1]) if len(args) > 1 else "-"
    print(name, bits(args[0]), second, bits(hi), bits(lo), int(e))


def uniform(a, b):
    return lambda: random.uniform(a, b)


def log_uniform(a, b):
    return lambda: random.choice([-1, 1]) * random.uniform(1, 2) * 2.0 ** random.randint(a, b)


def positive(a, b):
    return lambda: random.uniform(1, 2) * 2.0 ** random.randint(a, b)


UNARY = {
    "exp": (mp.exp, [uniform(-745, 709)]),
    "exp2": (lambda x: mpf(2) ** x, [uniform(-1070, 1023)]),
    "exp10": (lambda x: mpf(10) ** x, [uniform(-320, 308)]),
    "expm1": (mp.expm1, [log_uniform(-50, 5)]),
    "log": (mp.log, [positive(-1022, 1022), uniform(0.5, 2)]),
    "log2": (lambda x: mp.log(x) / mp.log(2), [positive(-1022, 1022), uniform(0.5, 2)]),
    "log10": (mp.log10, [positive(-1022, 1022), uniform(0.5, 2)]),
    "log1p": (mp.log1p, [uniform(-1, 1), positive(-60, 60)]),
    "sin": (mp.sin, [log_uniform(-40, 20), log_uniform(20, 1022)]),
    "cos": (mp.cos, [log_uniform(-10, 20), log_uniform(20, 1022)]),
    "tan": (mp.tan, [log_uniform(-40, 20), log_uniform(20, 1022)]),
    "asin": (mp.asin, [uniform(-1, 1), log_uniform(-40, -1)]),
    "acos": (mp.acos, [uniform(-1, 1), lambda: 1 - random.random() * 2.0 ** -30]),
    "atan": (mp.atan, [log_uniform(-40, 40)]),
    "sinh": (mp.sinh, [log_uniform(-30, 8)]),
    "cosh": (mp.cosh, [log_uniform(-10, 8)]),
    "tanh": (mp.tanh, [log_uniform(-30, 4)]),
    "asinh": (mp.asinh, [log_uniform(-30, 100)]),
    "acosh": (mp.acosh, [lambda: 1 + random.random() * 2.0 ** random.randint(-40, 40)]),
    "atanh": (mp.atanh, [uniform(-1, 1), log_uniform(-30, -2)]),
    "cbrt": (lambda x: mp.sign(x) * mp.cbrt(abs(x)), [log_uniform(-1022, 1022)]),
    "erf": (mp.erf, [uniform(-5, 5), log_uniform(-30, -2)]),
    "erfc": (mp.erfc, [uniform(-5, 26)]),
}
BINARY = {
    "pow": (lambda x, y: mpf(x) ** mpf(y), lambda: (lambda x: (x, random.uniform(-700, 700) / float(mp.log(x))))(positive(-300, 300)())),
    "atan2": (lambda y, x: mp.atan2(y, x), lambda: (log_uniform(-30, 30)(), log_uniform(-30, 30)())),
    "hypot": (lambda x, y: mp.sqrt(mpf(x) ** 2 + mpf(y) ** 2), lambda: (lambda x: (x, x * random.uniform(-9, 9)))(log_uniform(-1000, 1000)())),
}
# Known hard cases of range reduction: arguments next to multiples of pi/2, see Kahan and Muller's worst case for f64.
HARD = [float.fromhex("0x1.6ac5b262ca1ffp+849"), 5319372648326541.0 * 2.0 ** 797, 11.0, 355.0, 1e22, 2.0 ** 1023, 1.7976931348623157e308,
        from_bits(0x3FF921FB54442D18), from_bits(0x400921FB54442D18), from_bits(0x3FE921FB54442D18), 1048576.0, 1048575.9999, 65536.0]

for name, (f, generators) in UNARY.items():
    for generator in generators:
        for _ in range(40 // len(generators)):
            x = generator()
            line(name, [x], f(mpf(x)))
    if name in ("sin", "cos", "tan"):
        for x in HARD:
            line(name, [x], f(mpf(x)))
for name, (f, generator) in BINARY.items():
    for _ in range(40):
        x, y = generator()
        line(name, [x, y], f(x, y))
