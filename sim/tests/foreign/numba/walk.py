"""Monte Carlo with a xorshift generator; dynamic shared memory."""
from numba import cuda, float32, uint32

SIGNATURE = "void(uint32, float32[::1])"


def kernel(seed, out):
    shared = cuda.shared.array(0, float32)
    t = cuda.threadIdx.x
    state = uint32((cuda.grid(1) + 1) * 2654435761) ^ seed
    inside = 0
    for _ in range(100):
        state ^= uint32(state << uint32(13))
        state ^= state >> uint32(17)
        state ^= uint32(state << uint32(5))
        a = float32(state & uint32(0xFFFF)) / float32(65536.0)
        b = float32(state >> uint32(16)) / float32(65536.0)
        if a * a + b * b < 1.0:
            inside += 1
    shared[t] = inside
    cuda.syncthreads()
    if t == 0:
        total = float32(0.0)
        for k in range(cuda.blockDim.x):
            total += shared[k]
        out[cuda.blockIdx.x] = total / float32(25 * cuda.blockDim.x)
