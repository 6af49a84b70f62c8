#include "call.h"

#include <stdio.h>

#include "backend.h"
#include "device.h"
#include "program.h"

// A stage calls scratch() and refuse() without a handle, so their state belongs to the process.
static struct {
    char why[256];
    int refused;
    void *scratch;
    size_t scratch_bytes;
} call;

// stage.h declares both for the stages, but includes CUDA headers that the harness does not need.
void *scratch(size_t bytes);
void refuse(const char *reason);

void refuse(const char *reason)
{
    call.refused = 1;
    snprintf(call.why, sizeof call.why, "%s", reason);
    whole_characters(call.why);
}

void *scratch(size_t bytes)
{
    if (bytes <= call.scratch_bytes)
        return call.scratch;
    cuda_must(cudaStreamSynchronize(cudaStreamPerThread),
              "waiting for the last user of the scratch memory");
    cuda_must(cudaFree(call.scratch), "freeing scratch memory");
    if (cudaMalloc(&call.scratch, bytes) != cudaSuccess)
        die(STATUS_ERROR, "out of memory: the stage asks for %.3f GB of scratch memory",
            bytes / 1e9);
    cuda_must(cudaMemsetAsync(call.scratch, 0, bytes, cudaStreamPerThread),
              "zeroing scratch memory");
    cuda_must(cudaStreamSynchronize(cudaStreamPerThread), "zeroing scratch memory");
    call.scratch_bytes = bytes;
    return call.scratch;
}

void call_begin(void)
{
    call.refused = 0;
    call.why[0] = '\0';
}

enum status call_end(void)
{
    cudaError_t result = cudaGetLastError();   // of the launch, such as a bad configuration
    // of the kernel, such as an illegal address
    cudaError_t later = cudaStreamSynchronize(cudaStreamPerThread);

    if (result == cudaSuccess)
        result = later;
    if (result != cudaSuccess) {
        cudaGetLastError();
        snprintf(call.why, sizeof call.why, "%s (%s)", cudaGetErrorString(result),
                 cudaGetErrorName(result));
        return STATUS_ERROR;
    }
    return call.refused ? STATUS_SKIPPED : STATUS_OK;
}

enum status call_stage(stage_fn *stage, const struct problem *p, void *const device[])
{
    call_begin();
    backend_set(p);
    backend_call(stage, p, device);
    return call_end();
}

enum status call_stage_twice(stage_fn *stage, const struct problem *p, void *const device[])
{
    call_begin();
    backend_set(p);
    backend_call(stage, p, device);
    backend_call(stage, p, device);
    return call_end();
}

const char *call_why(void) { return call.why; }

void call_must_recover(void) { cuda_must(cudaDeviceSynchronize(), "going on after an error"); }
