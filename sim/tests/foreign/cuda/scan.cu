// Inclusive scan: warp scans by shuffles, then one over the warps' sums; integers and halves of them.
extern "C" __global__ void scan(const unsigned* in, unsigned* out, unsigned long long* total, int n) {
    extern __shared__ unsigned sums[];
    unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5, i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned v = i < n ? in[i] : 0;
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
        unsigned other = __shfl_up_sync(0xffffffff, v, d);
        if (lane >= d) v += other;
    }
    if (lane == 31) sums[warp] = v;
    __syncthreads();
    if (warp == 0) {
        unsigned s = lane < blockDim.x / 32 ? sums[lane] : 0;
        for (int d = 1; d < 32; d *= 2) {
            unsigned other = __shfl_up_sync(0xffffffff, s, d);
            if (lane >= d) s += other;
        }
        sums[lane] = s;
    }
    __syncthreads();
    if (warp) v += sums[warp - 1];
    if (i < n) out[i] = v;
    if (threadIdx.x == blockDim.x - 1) atomicAdd(total, (unsigned long long)v);
}
