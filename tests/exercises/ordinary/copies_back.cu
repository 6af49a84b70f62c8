// Graded: 0 refused: ^not allowed: line 33: .cudaMemcpy.: such copies are not counted
#include "transpose.h"
#include <vector>
#include <cmath>
#include <cstdio>

static void cpu_transpose(const float *a, float *b, int rows, int cols)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            b[j * rows + i] = a[i * cols + j];
}

// Here: transpose_tile of honest.cu

void transpose(const float *in, float *out, int rows, int cols)
{
    std::vector<float> host_in(rows * cols), host_out(rows * cols);
    cudaMemcpy(host_in.data(), in, rows * cols * sizeof(float), cudaMemcpyDeviceToHost);
    cpu_transpose(host_in.data(), host_out.data(), rows, cols);
    transpose_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(in, out, rows,
                                                                                  cols);
    std::vector<float> got(rows * cols);
    cudaMemcpy(got.data(), out, rows * cols * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < rows * cols; i++)
        if (fabs(got[i] - host_out[i]) > 1e-5 || std::abs(got[i] - host_out[i]) > 1e-5f) {
            printf("mismatch at %d: %f %f\n", i, got[i], host_out[i]);
            break;
        }
}
