"""Bitonic sort of a block in shared memory."""
from numba import cuda, int32

SIGNATURE = "void(int32[::1])"


def kernel(data):
    shared = cuda.shared.array(128, int32)
    t = cuda.threadIdx.x
    base = cuda.blockIdx.x * 128
    shared[t] = data[base + t]
    cuda.syncthreads()
    k = 2
    while k <= 128:
        j = k // 2
        while j > 0:
            other = t ^ j
            if other > t:
                a, b = shared[t], shared[other]
                if (a > b) == ((t & k) == 0):
                    shared[t], shared[other] = b, a
            cuda.syncthreads()
            j //= 2
        k *= 2
    data[base + t] = shared[t]
