// Matrix instructions: wmma of halves, and mma with ldmatrix in several types.
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <mma.h>
using namespace nvcuda;
extern "C" __global__ void tensor(const __half* a, const __half* b, float* c, int n) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.25f);
    for (int k = 0; k < n; k += 16) {
        wmma::load_matrix_sync(fa, a + blockIdx.x * 16 * n + k, n);
        wmma::load_matrix_sync(fb, b + blockIdx.y * 16 * n + k, n);
        wmma::mma_sync(fc, fa, fb, fc);
    }
    wmma::store_matrix_sync(c + blockIdx.x * 16 * n + blockIdx.y * 16, fc, n, wmma::mem_row_major);
}
__device__ unsigned shared_address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
extern "C" __global__ void fragments(const unsigned* a, const unsigned* b, float* c, int* ci, unsigned* raw) {
    __shared__ __align__(16) unsigned sa[128], sb[128];
    int t = threadIdx.x;
    for (int k = t; k < 128; k += 32) sa[k] = a[k], sb[k] = b[k];
    __syncwarp();
    unsigned x[4], y[2], z[4];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(shared_address(sa + 4 * t)));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(y[0]), "=r"(y[1]) : "r"(shared_address(sb + 4 * (t % 16))));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(z[0]), "=r"(z[1]), "=r"(z[2]), "=r"(z[3]) : "r"(shared_address(sb + 4 * t)));
    for (int k = 0; k < 4; k++) raw[4 * t + k] = x[k], raw[128 + 4 * t + k] = z[k];
    raw[256 + 2 * t] = y[0], raw[256 + 2 * t + 1] = y[1];
    float d[4] = {1, 2, 3, 4};
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    for (int k = 0; k < 4; k++) c[4 * t + k] = d[k];
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(x[0]), "r"(x[1]), "r"(y[0]));
    for (int k = 0; k < 4; k++) c[128 + 4 * t + k] = d[k];
    // The same bits as small bytes: integer products.
    int e[4] = {10, 20, 30, 40};
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(e[0]), "+r"(e[1]), "+r"(e[2]), "+r"(e[3]) : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    for (int k = 0; k < 4; k++) ci[4 * t + k] = e[k];
    asm volatile("mma.sync.aligned.m16n8k16.row.col.s32.u8.s8.s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+r"(e[0]), "+r"(e[1]), "+r"(e[2]), "+r"(e[3]) : "r"(x[0]), "r"(x[1]), "r"(y[0]));
    for (int k = 0; k < 4; k++) ci[128 + 4 * t + k] = e[k];
}
extern "C" __global__ void fragments_wide(const unsigned* a, const unsigned* b, float* c, const unsigned* ta, const unsigned* tb, const double* da, double* dc, unsigned* h) {
    int t = threadIdx.x;
    float d[4] = {0, 0, 0, 0};
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[4 * t]), "r"(a[4 * t + 1]), "r"(a[4 * t + 2]), "r"(a[4 * t + 3]), "r"(b[2 * t]), "r"(b[2 * t + 1]));
    for (int k = 0; k < 4; k++) c[4 * t + k] = d[k], d[k] = k;
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(ta[4 * t]), "r"(ta[4 * t + 1]), "r"(ta[4 * t + 2]), "r"(ta[4 * t + 3]), "r"(tb[2 * t]), "r"(tb[2 * t + 1]));
    for (int k = 0; k < 4; k++) c[128 + 4 * t + k] = d[k];
    double e[2] = {0.5, 1.5};
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};" : "+d"(e[0]), "+d"(e[1]) : "d"(da[t]), "d"(da[32 + t]));
    dc[2 * t] = e[0], dc[2 * t + 1] = e[1];
    unsigned g[2] = {0, 0x3c003c00};
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
        : "+r"(g[0]), "+r"(g[1]) : "r"(h[4 * t]), "r"(h[4 * t + 1]), "r"(h[4 * t + 2]), "r"(h[4 * t + 3]), "r"(h[128 + 2 * t]), "r"(h[128 + 2 * t + 1]));
    h[192 + 2 * t] = g[0], h[192 + 2 * t + 1] = g[1];
}
