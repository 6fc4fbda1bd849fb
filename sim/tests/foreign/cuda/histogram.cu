// Histogram with shared atomics, then global ones; also atomics of other kinds on shared and global memory.
extern "C" __global__ void histogram(const unsigned char* in, unsigned* bins, int* extremes, unsigned* ring, int n) {
    __shared__ unsigned local[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) local[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&local[in[i]], 1u);
        atomicMax(extremes, (int)in[i] * 3 - 100);
        atomicMin(extremes + 1, (int)in[i] * 3 - 100);
        atomicOr((unsigned*)extremes + 2, 1u << (in[i] & 31));
        atomicXor((unsigned*)extremes + 3, in[i] * 0x01010101u);
        atomicAnd((unsigned*)extremes + 4, ~(unsigned)in[i] | 0xf0f0);
        atomicInc(ring, 99);
        atomicDec(ring + 1, 77);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        if (local[i]) atomicAdd(bins + i, local[i]);
}
