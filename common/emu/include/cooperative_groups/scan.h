// Prefix sums over tiles and coalesced groups.
#ifndef EMU_COOPERATIVE_GROUPS_SCAN_H
#define EMU_COOPERATIVE_GROUPS_SCAN_H

#include "reduce.h"

namespace cooperative_groups {

template <class Group, class T, class Operation>
__device__ inline T inclusive_scan(const Group &group, T value, Operation operation)
{
    unsigned rank = group.thread_rank();

    for (unsigned distance = 1; distance < group.num_threads(); distance *= 2) {
        T other = group.shfl_up(value, distance);
        if (rank >= distance)
            value = operation(other, value);
    }
    return value;
}
template <class Group, class T> __device__ inline T inclusive_scan(const Group &group, T value)
{
    return inclusive_scan(group, value, plus<T>());
}

// The first thread of the group gets T().
template <class Group, class T, class Operation>
__device__ inline T exclusive_scan(const Group &group, T value, Operation operation)
{
    T before = group.shfl_up(inclusive_scan(group, value, operation), 1);
    return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T> __device__ inline T exclusive_scan(const Group &group, T value)
{
    return exclusive_scan(group, value, plus<T>());
}

}   // namespace cooperative_groups

#endif
