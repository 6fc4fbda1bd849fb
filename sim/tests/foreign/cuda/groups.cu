// Cooperative groups: tiles of 8 and 32, coalesced threads, reductions.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
extern "C" __global__ void groups(const int* in, int* out, int n) {
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto tile = cg::tiled_partition<8>(warp);
    int i = block.group_index().x * block.size() + block.thread_rank();
    int v = in[i];
    int sum = cg::reduce(tile, v, cg::plus<int>());
    int top = cg::reduce(warp, v, cg::greater<int>());
    int next = tile.shfl(v, (tile.thread_rank() + 1) % 8);
    unsigned odd = tile.ballot(v & 1);
    out[i] = sum ^ next;
    out[n + i] = top + (int)odd;
    if (v & 2) {
        auto active = cg::coalesced_threads();
        out[2 * n + i] = active.size() * 100 + active.thread_rank();
        out[3 * n + i] = cg::reduce(active, v & 0xffff, cg::plus<int>());
    }
    block.sync();
    out[4 * n + i] = tile.any(v > 0) + 2 * tile.all(v > 0) + 4 * tile.meta_group_rank();
}
