// c = a b of n x n matrices, row-major, in tiles through shared memory; n is a multiple of the tile.
constexpr unsigned TILE = 32;

extern "C" __global__ void matmul(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, unsigned n) {
    const unsigned x = threadIdx.x, y = threadIdx.y;
    const size_t row = static_cast<size_t>(blockIdx.y) * TILE + y;
    const size_t col = static_cast<size_t>(blockIdx.x) * TILE + x;
    __shared__ float tile_a[TILE][TILE];
    __shared__ float tile_b[TILE][TILE];
    float sum = 0.0f;
    for (unsigned tile = 0; tile < n / TILE; ++tile) {
        tile_a[y][x] = a[row * n + tile * TILE + x];
        tile_b[y][x] = b[static_cast<size_t>(tile * TILE + y) * n + col];
        __syncthreads();
        for (unsigned k = 0; k < TILE; ++k) {
            sum += tile_a[y][k] * tile_b[k][x];
        }
        __syncthreads();
    }
    c[row * n + col] = sum;
}
