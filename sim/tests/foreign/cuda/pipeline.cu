// Asynchronous copies to shared memory in two stages.
#include <cuda_pipeline.h>
extern "C" __global__ void pipeline(const float4* in, float* out, int stages) {
    __shared__ float4 buffer[2][64];
    int t = threadIdx.x;
    const float4* mine = in + blockIdx.x * 64 * stages;
    __pipeline_memcpy_async(&buffer[0][t], mine + t, 16);
    __pipeline_commit();
    float sum = 0;
    for (int s = 0; s < stages; s++) {
        if (s + 1 < stages) {
            __pipeline_memcpy_async(&buffer[(s + 1) & 1][t], mine + 64 * (s + 1) + t, 16);
        }
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        float4 v = buffer[s & 1][63 - t];
        sum += v.x * v.y + v.z - v.w;
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = sum;
}
extern "C" __global__ void copies(const int* in, int* out) {
    __shared__ __align__(16) int buffer[4 * 32];
    int t = threadIdx.x;
    unsigned place = (unsigned)__cvta_generic_to_shared(buffer + 4 * t);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(place), "l"(in + t));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, 4;" ::"r"(place + 8), "l"(in + 64 + 2 * t));
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    for (int k = 0; k < 4; k++) out[4 * t + k] = k == 1 ? 0 : buffer[4 * (31 - t) + k];
}
