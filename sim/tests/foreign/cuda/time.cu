// Clocks, sleep, special registers.
extern "C" __global__ void times(unsigned* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    long long a = clock64();
    unsigned c = clock();
    unsigned long long g;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(g));
    __nanosleep(100);
    long long b = clock64();
    unsigned lane, warp, le, gt, sm, nsm;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
    asm volatile("mov.u32 %0, %%lanemask_le;" : "=r"(le));
    asm volatile("mov.u32 %0, %%lanemask_gt;" : "=r"(gt));
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    asm volatile("mov.u32 %0, %%nsmid;" : "=r"(nsm));
    unsigned* o = out + 6 * i;
    o[0] = (b > a) + 2 * (g != 0) + 4 * ((unsigned)clock() != c);
    o[1] = lane; o[2] = le; o[3] = gt; o[4] = sm < nsm; o[5] = threadIdx.x / 32 + blockDim.x * 10 + gridDim.x * 10000;
}
