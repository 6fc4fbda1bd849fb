// printf: integers of all sizes, floats, text, pointers to constants, width and precision.
#include <cstdio>
extern "C" __global__ void print(const int* in, int* out) {
    int i = threadIdx.x;
    int n = printf("%d %u %x %c %5.2f|%-6d|%06d|%s %lld %%\n", in[i], in[i], in[i], 'a' + i, in[i] / 65536.0, i, i, i % 2 ? "odd" : "even", in[i] * 100000ll);
    out[i] = n;
    if (i == 0) printf("no arguments\n");
}
