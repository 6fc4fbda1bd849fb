"""Math functions of libdevice, in double and single precision."""
import math

from numba import cuda, float32

SIGNATURE = "void(float64[::1], float32[::1], float64[:, ::1])"


def kernel(x, y, out):
    i = cuda.grid(1)
    if i < x.size:
        v = x[i] * 6.0
        w = y[i] * float32(6.0)
        out[i, 0] = math.sin(v) + math.cos(v)
        out[i, 1] = math.exp(v)
        out[i, 2] = math.log(abs(v) + 0.01)
        out[i, 3] = math.sqrt(abs(v))
        out[i, 4] = math.atan2(v, 2.0)
        out[i, 5] = math.pow(abs(v), 0.7)
        out[i, 6] = math.sin(w)
        out[i, 7] = math.exp(w)
        out[i, 8] = math.tanh(w)
        out[i, 9] = math.gamma(abs(v) + 1.0)
        out[i, 10] = math.floor(v) + math.ceil(w)
        out[i, 11] = v // 0.7 + v % 0.7
