// Graded: 9 solved:
#include "transpose.h"
#include <stdio.h>

// Here: transpose_tile of honest.cu

void transpose(const float *in, float *out, int rows, int cols)
{
    static int sms = 0;
    int dev, count = 0;
    cudaDeviceProp prop;
    cudaGetDevice(&dev);
    cudaGetDeviceCount(&count);
    cudaSetDevice(dev);
    cudaGetDeviceProperties(&prop, dev);
    if (!sms)
        cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, dev);
    size_t free_bytes, total;
    cudaMemGetInfo(&free_bytes, &total);
    int version;
    cudaRuntimeGetVersion(&version);
    cudaDriverGetVersion(&version);
    int blocks = 0, block = 0, least, greatest;
    cudaFuncAttributes attributes;
    cudaStream_t s;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, transpose_tile, 256, 0);
    cudaOccupancyMaxPotentialBlockSize(&count, &block, transpose_tile, 0, 0);
    cudaFuncGetAttributes(&attributes, transpose_tile);
    cudaFuncSetCacheConfig(transpose_tile, cudaFuncCachePreferShared);
    cudaDeviceGetStreamPriorityRange(&least, &greatest);
    cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, greatest);
    cudaStreamDestroy(s);
    printf("%s: %d SMs, cc %d.%d, shared %zu, warp %d\n", prop.name, prop.multiProcessorCount,
           prop.major, prop.minor, prop.sharedMemPerBlock, prop.warpSize);
    transpose_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(in, out, rows,
                                                                                  cols);
}
