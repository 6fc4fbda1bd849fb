// The acceleration of each body by all others, in tiles through shared memory. x, y and z are the place, w the mass.
constexpr unsigned BLOCK = 256;
constexpr float SOFTENING = 1e-3f;

extern "C" __global__ void nbody(const float4 *__restrict__ bodies, float4 *__restrict__ acceleration, size_t n) {
    const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const float4 me = bodies[i];
    __shared__ float4 tile[BLOCK];
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
    for (size_t first = 0; first < n; first += BLOCK) {
        tile[threadIdx.x] = bodies[first + threadIdx.x];
        __syncthreads();
        for (unsigned other = 0; other < BLOCK; ++other) {
            const float4 body = tile[other];
            const float dx = body.x - me.x, dy = body.y - me.y, dz = body.z - me.z;
            const float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + SOFTENING);
            const float pull = body.w * inverse * inverse * inverse;
            ax += pull * dx;
            ay += pull * dy;
            az += pull * dz;
        }
        __syncthreads();
    }
    acceleration[i] = make_float4(ax, ay, az, 0.0f);
}
