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

// As in CUDA, one instruction (REDUX) reduces 32-bit integers with an operation of these, unless
// the group is a tile of fewer than 16 threads. Its intrinsics for bits take unsigned values.
#define EMU_REDUX(operation, intrinsic, type, as)                                \
    __device__ inline type emu_redux(unsigned mask, type value, operation<type>) \
    {                                                                            \
        return (type)intrinsic(mask, (as)value);                                 \
    }
#define EMU_REDUX_BOTH(operation, intrinsic, as_int)    \
    EMU_REDUX(operation, intrinsic, unsigned, unsigned) \
    EMU_REDUX(operation, intrinsic, int, as_int)
EMU_REDUX_BOTH(plus, __reduce_add_sync, int)
EMU_REDUX_BOTH(less, __reduce_min_sync, int)
EMU_REDUX_BOTH(greater, __reduce_max_sync, int)
EMU_REDUX_BOTH(bit_and, __reduce_and_sync, unsigned)
EMU_REDUX_BOTH(bit_or, __reduce_or_sync, unsigned)
EMU_REDUX_BOTH(bit_xor, __reduce_xor_sync, unsigned)
#undef EMU_REDUX_BOTH
#undef EMU_REDUX

// A group of any lanes: a tree over neighboring ranks, whose result lane 0 passes to the others.
template <class T, class Operation>
__device__ inline T emu_tree(const coalesced_group &group, T value, Operation operation)
{
    unsigned rank = group.thread_rank(), n = group.num_threads();

    for (unsigned distance = 1; distance < n; distance *= 2) {
        T other = group.shfl_down(value, distance);
        if (rank + distance < n)
            value = operation(value, other);
    }
    return group.shfl(value, 0);
}
// A tile: the same tree, in all lanes at once.
template <unsigned Size, class Parent, class T, class Operation>
__device__ inline T emu_tree(const thread_block_tile<Size, Parent, false> &tile, T value,
                             Operation operation)
{
    for (unsigned distance = 1; distance < Size; distance *= 2)
        value = operation(value, tile.shfl_xor(value, distance));
    return value;
}

__device__ inline bool emu_has_redux(const coalesced_group &) { return true; }
template <unsigned Size, class Parent>
__device__ inline bool emu_has_redux(const thread_block_tile<Size, Parent, false> &)
{
    return Size >= 16;
}

// The first one is chosen if there is an emu_redux() for the operation and the type.
template <class Group, class T, class Operation>
__device__ inline auto emu_reduce_lanes(const Group &group, T value, Operation operation, int)
    -> decltype(emu_redux(0u, value, operation))
{
    return emu_has_redux(group) ? emu_redux(group.lane_mask(), value, operation)
                                : emu_tree(group, value, operation);
}
template <class Group, class T, class Operation>
__device__ inline T emu_reduce_lanes(const Group &group, T value, Operation operation, long)
{
    return emu_tree(group, value, operation);
}

// Every thread of the group gets the result.
template <class Group, class T, class Operation>
__device__ inline T reduce(const Group &group, T value, Operation operation)
{
    return emu_reduce_lanes(group, value, operation, 0);
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
