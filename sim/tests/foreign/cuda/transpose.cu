// Transposes of 1, 2, 8 and 16-byte elements through shared memory with a padded row.
template <class T> __device__ void transpose(const T* in, T* out, int n) {
    __shared__ T tile[8][9];
    int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    out[(blockIdx.x * 8 + threadIdx.y) * n + blockIdx.y * 8 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
    __syncthreads();
}
extern "C" __global__ void transposes(const char* a, char* ta, const short* b, short* tb, const long long* c, long long* tc, const int4* d, int4* td, int n) {
    transpose(a, ta, n);
    transpose(b, tb, n);
    transpose(c, tc, n);
    transpose(d, td, n);
}
