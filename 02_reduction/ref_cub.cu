// ref_cub: cub::DeviceReduce::Sum of the CUDA Toolkit
//
// With a null pointer, Sum returns the size of the temporary storage that it needs. The first call
// for a size and type allocates the storage and is not timed. Later calls reuse it, as most
// programs do.
#include <cub/device/device_reduce.cuh>

#include "reduction.h"

template <class T> void sum_array(const T *in, T *out, long long n)
{
    static void *storage;
    static size_t size;
    static long long known;   // n for which the storage is large enough
    size_t bytes = 0;

    if (n != known) {
        cub::DeviceReduce::Sum(nullptr, bytes, in, out, n, cudaStreamPerThread);
        if (bytes > size) {
            cudaStreamSynchronize(cudaStreamPerThread);
            cudaFree(storage);
            size = cudaMalloc(&storage, bytes) == cudaSuccess ? bytes : 0;
            if (!size)
                return refuse("no memory for CUB's temporary storage");
        }
        known = n;
    }
    cub::DeviceReduce::Sum(storage, size, in, out, n, cudaStreamPerThread);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum_array, in, out, n);
}
