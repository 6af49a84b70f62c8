// The functions of the CUDA runtime that the harness's arrays need, in host memory, for unit tests.
#ifndef UNIT_CUDA_H
#define UNIT_CUDA_H

#include <stdlib.h>
#include <string.h>

#include <cuda_runtime_api.h>

#include "backend.h"
#include "device.h"
#include "program.h"

const int on_cpu_device = 0;

cudaError_t cudaMalloc(void **p, size_t bytes)
{
    return (*p = aligned_alloc(4096, bytes)) ? cudaSuccess : cudaErrorMemoryAllocation;
}
cudaError_t cudaMallocHost(void **p, size_t bytes) { return cudaMalloc(p, bytes); }
cudaError_t cudaFree(void *p) { return free(p), cudaSuccess; }
cudaError_t cudaGetLastError(void) { return cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return (void)stream, cudaSuccess; }
const char *cudaGetErrorString(cudaError_t error) { return error ? "an error" : ""; }
const char *cudaGetErrorName(cudaError_t error) { return error ? "error" : ""; }
double device_free_bytes(void) { return 1e9; }
static double unit_used;   // bytes that stages have allocated, as cudaMemGetInfo() reports
double device_used_bytes(void) { return unit_used; }
double host_free_bytes(void) { return 1e9; }
void emu_forget(const void *device, size_t bytes) { (void)device, (void)bytes; }

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    (void)kind, (void)stream;
    return memcpy(to, from, bytes), cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream)
{
    (void)stream;
    return memset(to, value, bytes), cudaSuccess;
}

void cuda_must(cudaError_t result, const char *doing)
{
    if (result != cudaSuccess)
        die(STATUS_ERROR, "%s", doing);
}

#endif
