// Graded: 0 wrong: frees_twice.cu:24: free of memory that was not allocated
#include "transpose.h"

// Here: transpose_tile of honest.cu

void transpose(const float *in, float *out, int rows, int cols)
{
    char *a = (char *)malloc(16);
    free(a);
    free(a);
    transpose_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(in, out, rows,
                                                                                  cols);
}
