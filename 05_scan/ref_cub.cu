// ref_cub: cub::DeviceScan::InclusiveSum and ExclusiveSum of the CUDA Toolkit
//
// With a null pointer, a sum returns the size of the temporary storage that it needs. The first
// call for a size and type allocates the storage and is not timed. Later calls reuse it, as most
// programs do.
#include <cub/device/device_scan.cuh>

#include "scan.h"

template <class T>
cudaError_t sums(void *storage, size_t &bytes, const T *in, T *out, long long n, bool exclusive)
{
    return exclusive
             ? cub::DeviceScan::ExclusiveSum(storage, bytes, in, out, n, cudaStreamPerThread)
             : cub::DeviceScan::InclusiveSum(storage, bytes, in, out, n, cudaStreamPerThread);
}

template <class T> void scan_array(const T *in, T *out, long long n, bool exclusive)
{
    static void *storage;
    static size_t size;
    static long long known;   // n for which the storage is large enough
    size_t bytes = 0;

    if (n != known) {
        sums(nullptr, bytes, in, out, n, exclusive);
        if (bytes > size) {
            cudaStreamSynchronize(cudaStreamPerThread);
            cudaFree(storage);
            size = cudaMalloc(&storage, bytes) == cudaSuccess ? bytes : 0;
            if (!size)
                return refuse("no memory for CUB's temporary storage");
        }
        known = n;
    }
    sums(storage, size, in, out, n, exclusive);
}

void scan(const void *in, void *out, long long n, enum type type, int exclusive)
{
    BY_TYPE(type, scan_array, in, out, n, exclusive);
}
