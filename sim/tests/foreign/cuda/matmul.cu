// Tiled matrix product.
template <int T> __device__ void product(const float* a, const float* b, float* c, int n) {
    __shared__ float as[T][T], bs[T][T + 1];
    int row = blockIdx.y * T + threadIdx.y, column = blockIdx.x * T + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k += T) {
        as[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < T; i++) sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
extern "C" __global__ void __launch_bounds__(256, 2) matmul(const float* a, const float* b, float* c, int n) { product<16>(a, b, c, n); }
