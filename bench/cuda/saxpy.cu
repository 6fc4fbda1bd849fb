// y[i] += a * x[i], one thread per element.
extern "C" __global__ void saxpy(const float *__restrict__ x, float *__restrict__ y, size_t n, float a) {
    const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] += a * x[i];
    }
}
