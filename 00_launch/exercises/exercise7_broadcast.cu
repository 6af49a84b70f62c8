// exercise7: several threads read one element
//
// Task: a has an element per row, b an element per column: out[row][col] = a[row] + b[col], after
// section 7 of docs/start.md. Write the line that stores the sum. The column and the row are there.
// Predict first: with 6 rows and 5 columns, how many threads read a[0], and how many read b[0]?
// Reading one element together is right. Writing one element together is not.
//
// Hint: out is a matrix, row after row. a and b are not: each has one index.
// Hint: Which of row and col is the index of a? How many elements has a?
// Hint: The place in `out` is that of exercise 6. Only this index is computed from both numbers.
//
// Computes: outer_sum
// Points 3: correct
// Points 6 (cpu, 3x4): ld_requests == 2 and ld_sectors == 2 and st_requests == 1 and
//     active_lanes == 12
#include "launch.h"

__global__ void outer_sum(const float *a, const float *b, float *out, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;

    if (row < rows && col < cols) {
#ifdef SOLUTION
        out[row * cols + col] = a[row] + b[col];
#else
        out[col] = a[col] + b[col];   // TODO
#endif
    }
}

void launch(const float *a, const float *b, float *out, int rows, int cols)
{
    dim3 block(4, 4);
    dim3 grid(ceil_div(cols, 4), ceil_div(rows, 4));

    outer_sum<<<grid, block>>>(a, b, out, rows, cols);
}
