// Match, vote and redux, under full and partial masks.
extern "C" __global__ void votes(const unsigned* in, unsigned* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned v = in[i], lane = threadIdx.x & 31;
    unsigned* o = out + 12 * i;
    int same;
    o[0] = __match_any_sync(~0u, v % 5);
    o[1] = __match_all_sync(~0u, v / 0x40000000u, &same) + same;
    o[2] = __match_any_sync(~0u, (unsigned long long)(v % 3) << 40);
    o[3] = __ballot_sync(~0u, v & 1);
    o[4] = __any_sync(~0u, v % 97 == 0) + 2 * __all_sync(~0u, v > 5);
    o[5] = __reduce_add_sync(~0u, v);
    o[6] = __reduce_min_sync(~0u, v);
    o[7] = __reduce_max_sync(~0u, (int)v);
    o[8] = __reduce_xor_sync(~0u, v);
    unsigned mask = lane < 13 ? 0x1fffu : ~0x1fffu;
    if (lane < 13) {
        o[9] = __ballot_sync(mask, v & 4) ^ __activemask();
        o[10] = __reduce_or_sync(mask, v);
    } else {
        o[9] = __ballot_sync(mask, v & 8);
        o[10] = __reduce_and_sync(mask, v | 0xffff);
    }
    __syncwarp();
    o[11] = __syncthreads_count(v & 1) + 1000 * __syncthreads_or(v == 0) + 10000 * __syncthreads_and(v != 1);
}
