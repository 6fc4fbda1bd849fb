"""Matrix product through shared tiles."""
from numba import cuda, float32

SIGNATURE = "void(float32[:, ::1], float32[:, ::1], float32[:, ::1])"


def kernel(a, b, c):
    left = cuda.shared.array((8, 8), float32)
    right = cuda.shared.array((8, 8), float32)
    x, y = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0.0)
    for k in range(a.shape[1] // 8):
        left[ty, tx] = a[y, k * 8 + tx]
        right[ty, tx] = b[k * 8 + ty, x]
        cuda.syncthreads()
        for i in range(8):
            total += left[ty, i] * right[i, tx]
        cuda.syncthreads()
    c[y, x] = total
