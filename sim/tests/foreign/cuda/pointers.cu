// Function pointers: a table in constant memory, one in local memory, one passed to a function.
typedef int (*Op)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int sub(int a, int b) { return a - b; }
__device__ int mul(int a, int b) { return a * b; }
__device__ int quo(int a, int b) { return b ? a / b : 0; }
__device__ Op table[4] = {add, sub, mul, quo};
__device__ __noinline__ int fold(Op op, const int* v, int n) {
    int r = v[0];
    for (int i = 1; i < n; i++) r = op(r, v[i]);
    return r;
}
extern "C" __global__ void pointers(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Op mine[2] = {table[i % 4], table[(i + 1) % 4]};
    out[i] = mine[in[i] & 1](in[i], i);
    out[n + i] = fold(mine[0], in + i % (n - 8), 8);
}
