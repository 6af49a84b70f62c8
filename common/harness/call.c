#include "call.h"

#include <stdio.h>

#include <cuda_runtime_api.h>

#include "die.h"

static char why[256];
static int refused;
static void *block;
static size_t block_bytes;

// Both are declared in stage.h, for the stages, with the CUDA headers that a stage needs and the
// harness does not.
void *scratch(size_t bytes);
void refuse(const char *reason);

void refuse(const char *reason)
{
    refused = 1;
    snprintf(why, sizeof why, "%s", reason);
}

void *scratch(size_t bytes)
{
    if (bytes <= block_bytes)
        return block;
    cuda_must(cudaStreamSynchronize(cudaStreamPerThread),
              "waiting for the last user of the scratch memory");
    cuda_must(cudaFree(block), "giving back scratch memory");
    if (cudaMalloc(&block, bytes) != cudaSuccess)
        die(EXIT_CUDA, "out of memory: the stage asks for %.3f GB of scratch memory", bytes / 1e9);
    cuda_must(cudaMemsetAsync(block, 0, bytes, cudaStreamPerThread), "zeroing scratch memory");
    cuda_must(cudaStreamSynchronize(cudaStreamPerThread), "zeroing scratch memory");
    block_bytes = bytes;
    return block;
}

void call_begin(void)
{
    refused = 0;
    why[0] = '\0';
}

enum outcome call_end(void)
{
    cudaError_t result = cudaGetLastError();   // of the launch: a bad configuration
    // of the kernel: an illegal address
    cudaError_t later = cudaStreamSynchronize(cudaStreamPerThread);

    if (result == cudaSuccess)
        result = later;
    if (result != cudaSuccess) {
        cudaGetLastError();
        snprintf(why, sizeof why, "%s (%s)", cudaGetErrorString(result), cudaGetErrorName(result));
        return CALL_FAILED;
    }
    return refused ? CALL_REFUSED : CALL_DONE;
}

enum outcome call_stage(stage_fn *stage, const struct problem *p, void *const device[])
{
    call_begin();
    week.run(stage, p, device);
    return call_end();
}

const char *call_why(void) { return why; }

void call_must_recover(void) { cuda_must(cudaDeviceSynchronize(), "going on after an error"); }
