"""Bits and warp functions."""
from numba import cuda, int32

SIGNATURE = "void(uint32[::1], uint32[:, ::1])"


def kernel(x, out):
    i = cuda.grid(1)
    v = x[i]
    out[i, 0] = cuda.popc(v)
    out[i, 1] = cuda.brev(v)
    out[i, 2] = cuda.clz(v)
    out[i, 3] = cuda.ffs(v)
    out[i, 4] = cuda.ballot_sync(0xFFFFFFFF, v & 1 == 1)
    out[i, 5] = cuda.match_any_sync(0xFFFFFFFF, v % 4)
    out[i, 6] = cuda.shfl_xor_sync(0xFFFFFFFF, int32(v), 5) & 0xFFFFFFFF
    out[i, 7] = cuda.selp(v > 1000000000, v, i)
    out[i, 8] = cuda.syncthreads_count(v & 2)
    out[i, 9] = cuda.lanemask_lt()
