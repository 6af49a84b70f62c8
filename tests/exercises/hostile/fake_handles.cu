// Graded: 0 refused|stopped|wrong|uncompiled: .
// Attack: events, streams and textures that are its own memory; ends with exit status 99.
#include "transpose.h"
#include <cstdlib>

void transpose(const float *in, float *out, int rows, int cols)
{
    static unsigned long fake[16];
    cudaEvent_t e = (cudaEvent_t)fake;
    cudaStream_t s = (cudaStream_t)fake;
    cudaEventRecord(e, s);
    cudaStreamWaitEvent(s, e, 0);
    cudaEventDestroy(e);
    cudaStreamDestroy(s);
    cudaStreamSynchronize(s);
    if (cudaEventRecord(e, 0) == cudaSuccess || cudaStreamDestroy(s) == cudaSuccess ||
        cudaDestroyTextureObject(12345) == cudaSuccess)
        exit(99);
}
