// Five-point stencil through a shared tile with a halo.
constexpr int TILE = 16;
extern "C" __global__ void stencil(const float* in, float* out, int width, int height) {
    __shared__ float tile[TILE + 2][TILE + 2];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    auto at = [&](int x, int y) {
        x = min(max(x, 0), width - 1);
        y = min(max(y, 0), height - 1);
        return in[y * width + x];
    };
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    tile[ty][tx] = at(x, y);
    if (threadIdx.x == 0) tile[ty][0] = at(x - 1, y);
    if (threadIdx.x == TILE - 1) tile[ty][TILE + 1] = at(x + 1, y);
    if (threadIdx.y == 0) tile[0][tx] = at(x, y - 1);
    if (threadIdx.y == TILE - 1) tile[TILE + 1][tx] = at(x, y + 1);
    __syncthreads();
    if (x < width && y < height)
        out[y * width + x] =
            0.5f * tile[ty][tx] + 0.125f * (tile[ty - 1][tx] + tile[ty + 1][tx] + tile[ty][tx - 1] + tile[ty][tx + 1]);
}
