// What a stage may use besides CUDA. A week's header includes this file; a stage includes its
// week's header.
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

// Device memory for a stage's own use: at least `bytes` bytes, aligned to 256. It is zeroed on
// first use, and its contents persist across calls: a call can read what the previous one wrote (a
// ticket, partial sums). The program has one such buffer. A call that needs more bytes gets a new,
// zeroed one, and the old one is freed.
EXTERN_C void *scratch(size_t bytes);

// Refuses this call; `why` is the reason in a few words ("multiples of 32 only"). The stage then
// returns without a launch.
EXTERN_C void refuse(const char *why);

// In a kernel's declaration: at most n registers per thread. Another version of nvcc may take more
// (for stage 7 of week 3, nvcc 13.0 takes 128 without this and 13.5 takes 167), and then fewer
// blocks fit on an SM. nvcc has the attribute from CUDA 12.4 on.
#if __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ >= 1204
#define MAX_REGISTERS(n) __maxnreg__(n)
#else
#define MAX_REGISTERS(n)
#endif

#ifdef __cplusplus
#include "ptx.h"
#include "tensormap.h"

// n / size, rounded up. Both are positive.
template <class N> __host__ __device__ inline N ceil_div(N n, int size)
{
    return (n - 1) / size + 1;
}

// An attribute of the device; 0 if the device does not report it. A GPU is queried once, and *known
// keeps the value. The CPU device is queried every time, because --sms changes its number of SMs.
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

// The number of SMs, and the size of the L2 cache in bytes.
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
