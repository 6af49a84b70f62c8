// Graded: 9 solved:
#include "transpose.h"

// Here: transpose_tile of honest.cu

void transpose(const float *in, float *out, int rows, int cols)
{
    static int known_rows, known_cols;
    static dim3 grid;

    if (rows != known_rows || cols != known_cols)
        grid = dim3(ceil_div(cols, 32), ceil_div(rows, 32));
    known_rows = rows;
    known_cols = cols;
    transpose_tile<<<grid, dim3(32, 8)>>>(in, out, rows, cols);
}
