// Double and single math: what nvcc inlines for the functions of its library.
extern "C" __global__ void math64(const double* x, double* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double v = x[i] * 8;
    double* o = out + 12 * i;
    o[0] = sin(v); o[1] = cos(v * 1e5); o[2] = exp(v); o[3] = log(fabs(v) + 1e-3); o[4] = pow(fabs(v), 1.7); o[5] = tanh(v);
    o[6] = cbrt(v); o[7] = erf(v); o[8] = lgamma(fabs(v) + 0.5); o[9] = atan2(v, 1.5); o[10] = fmod(v, 0.37); o[11] = hypot(v, 2.0) / rsqrt(fabs(v) + 1);
}
extern "C" __global__ void math32(const float* x, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i] * 8;
    float* o = out + 16 * i;
    o[0] = sinf(v); o[1] = cosf(v * 1e4f); o[2] = expf(v); o[3] = logf(fabsf(v) + 1e-3f); o[4] = powf(fabsf(v), 1.7f); o[5] = tanhf(v);
    o[6] = cbrtf(v); o[7] = erff(v); o[8] = atanf(v); o[9] = asinhf(v); o[10] = fmodf(v, 0.37f); o[11] = rintf(v) + floorf(v * 3) + truncf(v * 7);
    o[12] = __frcp_rd(v) + __fsqrt_ru(fabsf(v)); o[13] = __fadd_rz(v, 0.1f) * __fdiv_rn(v, 3.0f); o[14] = scalbnf(v, 3) + ilogbf(v); o[15] = __int_as_float(__float_as_int(v) ^ 0x80000000);
}
extern "C" __global__ void fast(const float* x, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i] * 3;
    float* o = out + 8 * i;
    o[0] = __sinf(v); o[1] = __cosf(v); o[2] = __expf(v); o[3] = __logf(fabsf(v) + 0.1f); o[4] = __fdividef(v, 1.7f); o[5] = __powf(fabsf(v) + 0.1f, 0.3f); o[6] = rsqrtf(fabsf(v) + 0.01f); o[7] = __saturatef(v);
}
extern "C" __global__ void conversions(const double* x, const float* y, long long* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double a = x[i] * 1e10;
    float b = y[i] * 1e5f;
    long long* o = out + 12 * i;
    o[0] = __double2int_rn(a); o[1] = __double2uint_rz(a); o[2] = __double2ll_ru(a * 1e6); o[3] = __double2ull_rd(a);
    o[4] = __float2int_rd(b); o[5] = __float2uint_ru(b); o[6] = __float2ll_rn(b * 1e12f); o[7] = __float_as_int(__double2float_rz(a));
    o[8] = __double_as_longlong(__ll2double_rd(i * 0x123456789abcdefll)); o[9] = __float_as_int(__ll2float_ru(i * 0x123456789abcdefll));
    o[10] = (signed char)b + (unsigned short)b; o[11] = __float_as_int(__int2float_rz(i * 123456789));
}
