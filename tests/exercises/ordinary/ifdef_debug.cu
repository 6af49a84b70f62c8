// Graded: 9 solved:
#include "transpose.h"

#ifdef DEBUG
#include <cstdio>
#define LOG(...) printf(__VA_ARGS__)
#else
#define LOG(...)
#endif

// Here: transpose_tile of honest.cu

void transpose(const float *in, float *out, int rows, int cols)
{
    LOG("%d\n", rows);
    transpose_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(in, out, rows,
                                                                                  cols);
}
