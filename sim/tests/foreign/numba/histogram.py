"""Histogram with atomics on shared and global memory."""
from numba import cuda, int32

SIGNATURE = "void(uint8[::1], int32[::1])"


def kernel(data, bins):
    local = cuda.shared.array(64, int32)
    t = cuda.threadIdx.x
    if t < 64:
        local[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), data.size, cuda.gridsize(1)):
        cuda.atomic.add(local, data[i] & 63, 1)
    cuda.syncthreads()
    if t < 64:
        cuda.atomic.add(bins, t, local[t])
