// Arrival barriers in shared memory (mbarrier) and named barriers with producers and consumers.
#include <cuda/barrier>
extern "C" __global__ void barriers(const int* in, int* out, int rounds) {
    __shared__ cuda::barrier<cuda::thread_scope_block> ready;
    __shared__ int values[64];
    int t = threadIdx.x;
    if (t == 0) init(&ready, blockDim.x);
    __syncthreads();
    int sum = 0;
    for (int r = 0; r < rounds; r++) {
        values[t] = in[r * 64 + t];
        auto token = ready.arrive();
        ready.wait(std::move(token));
        sum = sum * 3 + values[63 - t];
        ready.arrive_and_wait();
    }
    out[t] = sum;
}
extern "C" __global__ void named(const int* in, int* out, int rounds) {
    __shared__ int values[32];
    int t = threadIdx.x & 31;
    int sum = 0;
    for (int r = 0; r < rounds; r++) {
        if (threadIdx.x < 32) {
            asm volatile("bar.sync 2, 64;" ::: "memory");
            values[t] = in[r * 32 + t] + r;
            asm volatile("bar.arrive 1, 64;" ::: "memory");
        } else {
            asm volatile("bar.arrive 2, 64;" ::: "memory");
            asm volatile("bar.sync 1, 64;" ::: "memory");
            sum += values[31 - t] * (r + 1);
        }
    }
    if (threadIdx.x >= 32) out[t] = sum;
}
