// Bits: prmt, bit fields, three-input logic, funnel shifts, counts, reversal, high products, carry chains.
extern "C" __global__ void bits(const unsigned* a, const unsigned* b, unsigned* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned x = a[i], y = b[i], z = x * 0x9e3779b9u ^ y, r;
    unsigned* o = out + 20 * i;
    o[0] = __byte_perm(x, y, z);
    o[1] = __funnelshift_l(x, y, z);
    o[2] = __funnelshift_rc(x, y, z & 63);
    o[3] = __popc(x) | __clz(y) << 8 | __ffs(z) << 16;
    o[4] = __brev(x);
    o[5] = (x & y) | (~x & z);
    o[6] = (x ^ y ^ z) & ~(x & y);
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y & 255), "r"(z & 255)); o[7] = r;
    asm("bfe.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y & 31), "r"(z & 31)); o[8] = r;
    asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(x), "r"(y), "r"(z & 31), "r"(y & 31)); o[9] = r;
    asm("lop3.b32 %0, %1, %2, %3, 0x1d;" : "=r"(r) : "r"(x), "r"(y), "r"(z)); o[10] = r;
    asm("prmt.b32.f4e %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(z)); o[11] = r;
    o[12] = __umulhi(x, y);
    o[13] = __mulhi((int)x, (int)y);
    o[14] = __usad(x, y, z);
    o[15] = __uhadd(x, y);
    unsigned long long w = (unsigned long long)x << 32 | y, v = w * 0x9e3779b97f4a7c15ull;
    o[16] = __popcll(v) | __clzll(v) << 8 | __ffsll(v) << 16;
    o[17] = (unsigned)(__umul64hi(w, v) >> 7);
    unsigned __int128 big = (unsigned __int128)w * v + z;
    o[18] = (unsigned)(big >> 100) ^ (unsigned)(big >> 41);
    o[19] = (unsigned)(v % (x | 1ull)) + (unsigned)((long long)v / (int)(y | 1)) + (int)x % (int)(z | 1);
}
