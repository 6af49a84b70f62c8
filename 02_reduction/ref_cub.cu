// ref_cub: cub::DeviceReduce::Sum, the sum that comes with the CUDA Toolkit. What to beat.
//
// Called without memory for its sums, it says how much it wants. That is asked and allocated in the
// first call of a size and type, which only checks: never timed. As in most programs that use CUB,
// later calls find it there.
//
#include <cub/device/device_reduce.cuh>

#include "reduction.h"

template <class T> void sum(const T *in, T *out, long long n)
{
    static void *sums;
    static size_t room;
    static long long known;   // the n that this room is for
    size_t bytes = 0;

    if (n != known) {
        cub::DeviceReduce::Sum(nullptr, bytes, in, out, n, cudaStreamPerThread);
        if (bytes > room) {
            cudaStreamSynchronize(cudaStreamPerThread);
            cudaFree(sums);
            room = cudaMalloc(&sums, bytes) == cudaSuccess ? bytes : 0;
            if (!room)
                return refuse("no memory for CUB's sums");
        }
        known = n;
    }
    cub::DeviceReduce::Sum(sums, room, in, out, n, cudaStreamPerThread);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum, in, out, n)
}
