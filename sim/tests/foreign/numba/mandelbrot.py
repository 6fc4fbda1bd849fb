"""Escape times on a two-dimensional grid, with complex numbers."""
from numba import cuda

SIGNATURE = "void(float64, float64, float64, int32[:, ::1])"


def kernel(left, top, step, out):
    x, y = cuda.grid(2)
    if x < out.shape[1] and y < out.shape[0]:
        c = complex(left + x * step, top + y * step)
        z = 0j
        n = 0
        while n < 60 and z.real * z.real + z.imag * z.imag < 4.0:
            z = z * z + c
            n += 1
        out[y, x] = n
