// z[i, j] = exp(-alpha * (x[j]^2 + y[i]^2)), one thread per element.
extern "C" __global__ void decay(const float *__restrict__ x, const float *__restrict__ y, float *__restrict__ z, size_t rows, size_t cols,
                                 float alpha) {
    const size_t row = static_cast<size_t>(blockIdx.y) * blockDim.y + threadIdx.y;
    const size_t col = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (row < rows && col < cols) {
        z[row * cols + col] = expf(-alpha * (x[col] * x[col] + y[row] * y[row]));
    }
}
