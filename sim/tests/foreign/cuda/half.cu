// half, half2, bfloat16 and bfloat162: arithmetic, comparison, conversion, fma with relu, minimum and maximum.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
extern "C" __global__ void half_arithmetic(const __half* a, const __half* b, __half* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    __half x = a[i], y = b[i];
    __half* o = out + 12 * i;
    o[0] = x + y; o[1] = x - y; o[2] = x * y; o[3] = x / y;
    o[4] = __hfma(x, y, x); o[5] = __hmin(x, y); o[6] = __hmax_nan(x, y); o[7] = __hneg(__habs(x));
    o[8] = __float2half_rz(__half2float(x) * 1.001f);
    o[9] = __int2half_rn(__half2int_rz(x * __float2half(100.0f)));
    o[10] = x > y ? __float2half(1.0f) : __hfma_relu(x, y, y);
    o[11] = __hadd_sat(x, y);
}
extern "C" __global__ void half2_arithmetic(const __half2* a, const __half2* b, __half2* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    __half2 x = a[i], y = b[i];
    __half2* o = out + 10 * i;
    o[0] = __hadd2(x, y); o[1] = __hsub2(x, y); o[2] = __hmul2(x, y); o[3] = __hfma2(x, y, x);
    o[4] = __hmin2(x, y); o[5] = __hmax2(x, y); o[6] = __hneg2(x); o[7] = __habs2(y);
    o[8] = __hgt2(x, y); o[9] = __floats2half2_rn(__low2float(x) + 0.3f, __high2float(y) * 0.7f);
}
extern "C" __global__ void bfloat_arithmetic(const __nv_bfloat16* a, const __nv_bfloat162* b, __nv_bfloat16* out, __nv_bfloat162* out2, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    __nv_bfloat16 x = a[i], y = a[(i + 7) % n];
    __nv_bfloat16* o = out + 8 * i;
    o[0] = x + y; o[1] = x - y; o[2] = x * y; o[3] = __hfma(x, y, x);
    o[4] = __hmin(x, y); o[5] = __hmax(x, y); o[6] = __float2bfloat16_rz(__bfloat162float(x) * 1.01f); o[7] = x < y ? -x : __habs(y);
    __nv_bfloat162 u = b[i], v = b[(i + 3) % n];
    __nv_bfloat162* p = out2 + 6 * i;
    p[0] = __hadd2(u, v); p[1] = __hmul2(u, v); p[2] = __hfma2(u, v, u); p[3] = __hmax2(u, v); p[4] = __hneg2(u);
    p[5] = __floats2bfloat162_rn(__low2float(u) + 0.1f, __high2float(v));
}
