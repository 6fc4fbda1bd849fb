// Atomics of libcu++ with scopes and orders, volatile, fences, compare-and-swap loops, a lock, 64-bit and floating ones.
#include <cuda/atomic>
__device__ int lock = 0;
extern "C" __global__ void scopes(const int* in, unsigned long long* out, double* sums, float* fsum, volatile int* shared_count, unsigned short* narrow) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> first(out[0]);
    first.fetch_add(in[i] & 0xff, cuda::memory_order_relaxed);
    cuda::atomic_ref<unsigned long long, cuda::thread_scope_block> mine(out[1 + blockIdx.x]);
    mine.fetch_max(in[i] & 0xffff, cuda::memory_order_acq_rel);
    cuda::atomic_ref<unsigned long long, cuda::thread_scope_system> last(out[8]);
    last.fetch_add(1, cuda::memory_order_seq_cst);
    cuda::atomic_ref<int, cuda::thread_scope_device> flag(lock);
    unsigned long long old = out[9];
    while (true) {
        unsigned long long now = atomicCAS(out + 9, old, old + (in[i] & 7));
        if (now == old) break;
        old = now;
    }
    for (bool done = false; !done;) {
        int expected = 0;
        if (flag.compare_exchange_strong(expected, 1, cuda::memory_order_acquire)) {
            *shared_count = *shared_count + 1;
            flag.store(0, cuda::memory_order_release);
            done = true;
        }
    }
    __threadfence();
    atomicAdd(sums, (double)(in[i] & 0xff));
    atomicAdd(fsum, (float)(in[i] & 0xf));
    atomicExch(out + 10, 77ull);
    atomicAdd_block((int*)(out + 11), 1);
    atomicAdd_system((unsigned*)(out + 12), 2u);
    __threadfence_block();
    __threadfence_system();
    atomicCAS(narrow + i % 4, (unsigned short)(0), (unsigned short)(i % 4 + 1));
}
