// exercise6: a two-dimensional index
//
// Task: out[row][col] = a[row][col] + 10 * row, after section 7 of docs/start.md. Blocks have 4 x 4
// threads: `dim3 block(4, 4)` has 4 in x and 4 in y. x counts columns, y counts rows. The column is
// there. Write the row, the guard, and the place of element (row, col) in memory.
// Predict first: the matrix has 6 rows and 5 columns. At which place is element (2, 1)?
//
// Hint: The row is the column's formula with another letter.
// Hint: A thread has an element if its row and its column exist. `rows` and `cols` say how many
// there are. Both conditions must be true.
// Hint: In memory, row after row: how many elements lie before the first one of row 1, and before
// that of row 2? The column is added to this.
//
// Computes: matrix_plus_rows
// Points 3: correct
// Points 6 (cpu, 6x5): ld_requests == 4 and st_requests == 4 and active_lanes >= 7
#include "launch.h"

__global__ void add_rows(const float *a, float *out, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef SOLUTION
    int row = blockIdx.y * blockDim.y + threadIdx.y;

    if (row < rows && col < cols) {
        int i = row * cols + col;
#else
    int row = 0;   // TODO

    if (col < cols) {        // TODO: and the row
        int i = row + col;   // TODO: the place of element (row, col)
#endif

        out[i] = a[i] + 10 * row;
    }
}

void launch(const float *a, const float *b, float *out, int rows, int cols)
{
    dim3 block(4, 4);
    dim3 grid(ceil_div(cols, 4), ceil_div(rows, 4));

    add_rows<<<grid, block>>>(a, out, rows, cols);
}
