// Reductions over tiles and coalesced groups.
#ifndef EMU_COOPERATIVE_GROUPS_REDUCE_H
#define EMU_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

namespace cooperative_groups {

template <class T> struct plus {
    __device__ T operator()(T a, T b) const { return a + b; }
};
template <class T> struct less {   // the smaller of two, as in CUDA
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

// Every thread of the group gets the result, in the order of a tree over neighbors.
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

}   // namespace cooperative_groups

#endif
