// Graded: 0 uncompiled: ^file_stream.cu:23:.*std::ofstream
#include "transpose.h"
#include <fstream>

// Here: transpose_tile of honest.cu

void transpose(const float *in, float *out, int rows, int cols)
{
    std::ofstream f("log.txt");
    f << rows;
    transpose_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(in, out, rows,
                                                                                  cols);
}
