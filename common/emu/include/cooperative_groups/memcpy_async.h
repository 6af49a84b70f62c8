// Copies by a group of threads from global to shared memory (CUDA C++ Programming Guide,
// "memcpy_async"). The threads copy in turn pieces of the largest size up to 16 bytes of which both
// addresses and the total size are multiples. Pieces smaller than 4 bytes are copied synchronously.
// The number of requests has not been compared with that of CUDA's function.
#ifndef EMU_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define EMU_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"
#include "../cuda_pipeline_primitives.h"

namespace cooperative_groups {

template <class Group, class T>
__device__ inline void memcpy_async(const Group &group, T *to, const T *from, size_t bytes)
{
    size_t bits = (size_t)to | (size_t)from | bytes | 16, piece = bits & -bits;

    for (size_t at = group.thread_rank() * piece; at < bytes; at += group.num_threads() * piece)
        if (piece >= 4)
            __pipeline_memcpy_async((char *)to + at, (const char *)from + at, piece);
        else
            for (size_t i = at; i < at + piece; i++)
                ((char *)to)[i] = ((const char *)from)[i];
    __pipeline_commit();
}

// Copies elements: as many as both arrays have.
template <class Group, class T>
__device__ inline void memcpy_async(const Group &group, T *to, size_t to_elements, const T *from,
                                    size_t from_elements)
{
    memcpy_async(group, to, from, min(to_elements, from_elements) * sizeof(T));
}

// Waits for all but the last `Stages` copies of this thread, then synchronizes the group.
template <unsigned Stages, class Group> __device__ inline void wait_prior(const Group &group)
{
    __pipeline_wait_prior(Stages);
    group.sync();
}
template <class Group> __device__ inline void wait(const Group &group) { wait_prior<0>(group); }

}   // namespace cooperative_groups

#endif
