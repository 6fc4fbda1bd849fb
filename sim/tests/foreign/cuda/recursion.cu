// Recursion, also mutual, with frames on the stack.
__device__ __noinline__ unsigned ackermann(unsigned m, unsigned n) {
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
__device__ unsigned odd(unsigned n);
__device__ __noinline__ unsigned even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
__device__ __noinline__ unsigned odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
__device__ __noinline__ void sort(int* v, int low, int high) {
    if (low >= high) return;
    int pivot = v[(low + high) / 2], i = low, j = high;
    while (i <= j) {
        while (v[i] < pivot) i++;
        while (v[j] > pivot) j--;
        if (i <= j) { int t = v[i]; v[i] = v[j]; v[j] = t; i++; j--; }
    }
    sort(v, low, j);
    sort(v, i, high);
}
extern "C" __global__ void recursion(const int* in, int* sorted, unsigned* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v[16];
    for (int k = 0; k < 16; k++) v[k] = in[16 * i + k];
    sort(v, 0, 15);
    for (int k = 0; k < 16; k++) sorted[16 * i + k] = v[k];
    out[i] = ackermann(i % 3, i % 4) * 2 + even(i % 16);
}
