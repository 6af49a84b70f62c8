// Graded: 9 solved:
// Übung 1: Größe — “tile” 转置 🚀
/* é */
#include "transpose.h"
#include <stdio.h>

// a path: C:\course\
// next line, it's "odd
/* * / // */   // /* not a comment \\
int before_; // trailing	\ 

#if 0
Don't compile this: 'x "y
#endif
#pragma region kernel
#pragma GCC diagnostic ignored "-Wunused-variable"

// Here: transpose_tile of honest.cu

void transpose(const float *in, float *out, int rows, int cols)
{
    const char *s = "Größe: %d ≤ 转";
    printf(s, rows);
    printf("\n");
    transpose_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(in, out, rows,
                                                                                  cols);
}
