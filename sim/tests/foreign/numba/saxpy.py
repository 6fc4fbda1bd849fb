"""a*x + y in a grid-stride loop."""
from numba import cuda

SIGNATURE = "void(float32, float32[::1], float32[::1], float32[::1])"


def kernel(a, x, y, out):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        out[i] = a * x[i] + y[i]
