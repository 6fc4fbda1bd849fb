// Constant memory, module variables with initializers and addresses, dynamic shared memory carved by hand, a device-side static.
__constant__ float weights[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
__device__ int counter = 5;
__device__ const char* const names[] = {"zero", "one", "two"};
__device__ struct { short a; double b; const float* p; } record = {-3, 2.5, weights + 1};
extern "C" __global__ void memory(const float* in, float* out, int* info, int n) {
    extern __shared__ __align__(16) unsigned char raw[];
    float* tile = reinterpret_cast<float*>(raw);
    short* marks = reinterpret_cast<short*>(raw + (blockDim.x + 4) * sizeof(float));
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x + 2] = i < n ? in[i] : 0;
    if (threadIdx.x < 2) {
        tile[threadIdx.x] = i >= 2 ? in[i - 2] : 0;
        tile[blockDim.x + 2 + threadIdx.x] = i + (int)blockDim.x < n ? in[i + blockDim.x] : 0;
    }
    marks[threadIdx.x] = (short)(threadIdx.x * 3);
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 5; k++) sum += weights[k] * tile[threadIdx.x + k];
    if (i < n) out[i] = sum + marks[blockDim.x - 1 - threadIdx.x];
    if (i < 8) {
        int before = atomicAdd(&counter, 0);
        info[i] = before + names[i % 3][i % 3 + 1] + record.a + (int)(record.b * 10) + (int)(record.p[i % 3] * 1000);
    }
}
