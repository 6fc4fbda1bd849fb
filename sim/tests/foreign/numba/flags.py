"""Integers, booleans, and compare-and-swap."""
from numba import cuda

SIGNATURE = "void(int32[::1], boolean[::1], int32[::1])"


def kernel(x, flags, slots):
    i = cuda.grid(1)
    if i >= x.size:
        return
    flags[i] = x[i] > 0 and not (x[i] & 1)
    place = i % slots.size
    cuda.atomic.cas(slots, place, 0, place + 1)
    cuda.threadfence()
    if not flags[i]:
        cuda.atomic.sub(slots, place, 0)
