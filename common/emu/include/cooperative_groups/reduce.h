// Reductions over tiles and coalesced groups.
#ifndef EMU_COOPERATIVE_GROUPS_REDUCE_H
#define EMU_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

namespace cooperative_groups {

template <class T> struct plus {
    __device__ T operator()(T a, T b) const { return a + b; }
};
template <class T> struct less {   // the minimum, as in CUDA
    __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T> struct greater {
    __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T> struct bit_and {
    __device__ T operator()(T a, T b) const { return a & b; }
};
template <class T> struct bit_or {
    __device__ T operator()(T a, T b) const { return a | b; }
};
template <class T> struct bit_xor {
    __device__ T operator()(T a, T b) const { return a ^ b; }
};

// Every thread of the group gets the result, which is combined in the order of a tree over
// neighboring ranks.
template <class Group, class T, class Operation>
__device__ inline T reduce(const Group &group, T value, Operation operation)
{
    unsigned rank = group.thread_rank(), n = group.num_threads();

    for (unsigned distance = 1; distance < n; distance *= 2) {
        T other = group.shfl_down(value, distance);
        if (rank + distance < n)
            value = operation(value, other);
    }
    return group.shfl(value, 0);
}

// For a tile of several warps: reduces each warp, then combines the results in the scratch memory.
template <unsigned Size, class Parent, class T, class Operation>
__device__ inline T reduce(const thread_block_tile<Size, Parent, true> &tile, T value,
                           Operation operation)
{
    static_assert(sizeof(T) <= sizeof(uint4), "a warp has 16 bytes of scratch memory");
    uint4 *scratch = tile.emu_scratch();
    unsigned warp = tile.thread_rank() / 32;

    value = reduce(tiled_partition<32>(this_thread_block()), value, operation);
    if (emu::lane() == 0)
        *(T *)(scratch + warp) = value;
    __syncthreads();
    value = *(T *)scratch;
    for (unsigned i = 1; i < Size / 32; i++)
        value = operation(value, *(T *)(scratch + i));
    __syncthreads();
    return value;
}

}   // namespace cooperative_groups

#endif
