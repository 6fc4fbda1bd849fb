// The sum of x, one partial sum per block: each thread adds up every element that lies a grid further on, then the warps by shuffles, then
// the block through shared memory. The grid is a constant, as in the Rust kernel.
constexpr unsigned BLOCK = 256;
constexpr unsigned GRID = 2048;
constexpr size_t STRIDE = static_cast<size_t>(GRID) * BLOCK;

extern "C" __global__ void reduce(const float *__restrict__ x, size_t n, float *__restrict__ partial) {
    float own = 0.0f;
    for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += STRIDE) {
        own += x[i];
    }
    for (int apart = 16; apart > 0; apart /= 2) {
        own += __shfl_xor_sync(0xffffffffu, own, apart);
    }
    __shared__ float warps[BLOCK / 32];
    if (threadIdx.x % 32 == 0) {
        warps[threadIdx.x / 32] = own;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        float total = 0.0f;
        for (unsigned warp = 0; warp < BLOCK / 32; ++warp) {
            total += warps[warp];
        }
        partial[blockIdx.x] = total;
    }
}
