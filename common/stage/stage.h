// What a stage may use besides CUDA itself. A week's header includes this file; a stage includes
// its week's header.
#ifndef STAGE_H
#define STAGE_H

#include <stddef.h>

#include <cuda_runtime.h>

#include "type.h"

// A week's function is defined in CUDA C++ and called from C.
#ifdef __cplusplus
#define EXTERN_C extern "C"
#else
#define EXTERN_C
#endif

// Device memory for a stage's own use, at least `bytes` long and 256-byte aligned. It is zeroed
// when first handed out and then kept, content and all, for the later calls of this process: what a
// call leaves behind (a ticket, partial sums), the next one finds. One block for the whole program:
// a call that asks for more than before gets a new, zeroed one.
EXTERN_C void *scratch(size_t bytes);

// Declines this call, with the reason in a few words ("multiples of 32 only"). The stage launches
// nothing and returns.
EXTERN_C void refuse(const char *why);

#ifdef __cplusplus
#include "ptx.h"
#ifndef EMU_CPU_DEVICE
#include "tensormap.h"
#endif

// How many pieces of `size` cover `n`. Both are positive.
template <class N> __host__ __device__ inline N ceil_div(N n, int size)
{
    return (n - 1) / size + 1;
}

// An attribute of the device, which a GPU is asked for once: `known` keeps it. 0 where the device
// does not report it. The CPU device's number of SMs may change (--sms).
inline int device_attribute(cudaDeviceAttr attribute, int *known)
{
    int device;

#ifdef EMU_CPU_DEVICE
    *known = 0;
#endif
    if (!*known && (cudaGetDevice(&device) != cudaSuccess ||
                    cudaDeviceGetAttribute(known, attribute, device) != cudaSuccess))
        cudaGetLastError();
    return *known;
}

// How many SMs the device has, and how many bytes its L2 cache.
inline int multiprocessors()
{
    static int known;
    return device_attribute(cudaDevAttrMultiProcessorCount, &known);
}
inline int l2_bytes()
{
    static int known;
    return device_attribute(cudaDevAttrL2CacheSize, &known);
}
#endif

#endif
