"""Local arrays, tuples, a device function and constant memory."""
import numpy as np
from numba import cuda, float32

SIGNATURE = "void(float32[::1], float32[::1])"
WEIGHTS = np.array([0.5, 1.5, -2.0, 0.25], dtype=np.float32)


@cuda.jit(device=True)
def swap(a, b):
    return (b, a) if a > b else (a, b)


def kernel(x, out):
    weights = cuda.const.array_like(WEIGHTS)
    i = cuda.grid(1)
    v = cuda.local.array(8, float32)
    for k in range(8):
        v[k] = x[(i * 8 + k) % x.size]
    for a in range(8):
        for b in range(a + 1, 8):
            v[a], v[b] = swap(v[a], v[b])
    total = float32(0.0)
    for k in range(8):
        total += v[k] * weights[(k + i) % 4]
    out[i] = total
