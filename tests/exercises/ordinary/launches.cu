// Graded: 9 solved:
#include "transpose.h"
#include <stdlib.h>

// Here: transpose_tile of honest.cu

void transpose(const float *in, float *out, int rows, int cols)
{
    cudaLaunchConfig_t config = { 0 };
    cudaLaunchAttribute attribute[2];
    attribute[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute[0].val.programmaticStreamSerializationAllowed = 1;
    attribute[1].id = cudaLaunchAttributeClusterDimension;
    attribute[1].val.clusterDim = { 1, 1, 1 };
    config.gridDim = dim3(ceil_div(cols, 32), ceil_div(rows, 32));
    config.blockDim = dim3(32, 8);
    config.attrs = attribute;
    config.numAttrs = 2;
    if (cudaLaunchKernelEx(&config, transpose_tile, in, out, rows, cols) != cudaSuccess)
        abort();
    cudaDeviceSynchronize();
    void *args[] = { (void *)&in, &out, &rows, &cols };
    cudaLaunchKernel((const void *)transpose_tile, config.gridDim, config.blockDim, args, 0, 0);
}
