// wrong: a kernel that the compiler does not instrument, as with some options in CXXFLAGS. The
// result is correct, but no request is counted.
//
// Rejected (status 3): memory requests were not counted
#include "transpose.h"

#ifdef __SANITIZE_THREAD__
#define UNCOUNTED __attribute__((no_sanitize_thread))
#else
#define UNCOUNTED
#endif

__global__ UNCOUNTED void transpose_plain(const float *in, float *out, int rows, int cols)
{
    int i = blockIdx.x * 256 + threadIdx.x;

    if (i < rows * cols)
        out[i % cols * rows + i / cols] = in[i];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    transpose_plain<<<ceil_div(rows * cols, 256), 256>>>(in, out, rows, cols);
}
