"""Python's division and remainder of integers, shifts and powers."""
from numba import cuda

SIGNATURE = "void(int64[::1], int64[:, ::1])"


def kernel(x, out):
    i = cuda.grid(1)
    if i < x.size:
        v = x[i] >> 20
        d = (i % 7) - 3
        if d == 0:
            d = 5
        out[i, 0] = v // d
        out[i, 1] = v % d
        out[i, 2] = (v & 15) ** 3
        out[i, 3] = v << (i % 9)
        out[i, 4] = abs(v)
        out[i, 5] = min(v, d) ^ max(v, 77)
