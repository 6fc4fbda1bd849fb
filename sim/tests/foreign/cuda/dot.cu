// Integer dot products: dp4a and dp2a, signed and unsigned, and byte-wise SIMD.
extern "C" __global__ void dot(const int* a, const int* b, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int* o = out + 10 * i;
    unsigned ua = a[i], ub = b[i];
    o[0] = __dp4a(a[i], b[i], i);
    o[1] = __dp4a(ua, ub, (unsigned)i);
    o[2] = __dp2a_lo(a[i], b[i], i);
    o[3] = __dp2a_hi(a[i], b[i], i);
    o[4] = __dp2a_lo(ua, ub, (unsigned)i);
    o[5] = __vadd4(ua, ub);
    o[6] = __vabsdiffu4(ua, ub);
    o[7] = __vmaxs2(ua, ub);
    o[8] = __vsads4(ua, ub);
    o[9] = __vcmpgtu4(ua, ub);
}
