// Graded: 9 solved:
#include "transpose.h"
#include <cstdio>
#include <cstdlib>

// Here: transpose_tile of honest.cu

#define CHECK(call)                                                                        \
    do {                                                                                   \
        cudaError_t error = (call);                                                        \
        if (error != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(1);                                                                       \
        }                                                                                  \
    } while (0)

void transpose(const float *in, float *out, int rows, int cols)
{
    transpose_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(in, out, rows,
                                                                                  cols);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
}
