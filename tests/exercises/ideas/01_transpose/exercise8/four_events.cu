// Graded: 9 solved:
// Another style: an event between two batches belongs to both.
#include "transpose.h"
#include <algorithm>
#include <vector>

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[64][65];

    for (int i = threadIdx.y; i < 64; i += 8)
        if (blockIdx.x * 64 + threadIdx.x < cols && blockIdx.y * 64 + i < rows)
            tile[i][threadIdx.x] = in[(blockIdx.y * 64 + i) * cols + blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
    for (int i = threadIdx.y; i < 64; i += 8)
        if (blockIdx.y * 64 + threadIdx.x < rows && blockIdx.x * 64 + i < cols)
            out[(blockIdx.x * 64 + i) * rows + blockIdx.y * 64 + threadIdx.x] =
                tile[threadIdx.x][i];
}

static void launch(const float *in, float *out, int rows, int cols)
{
    dim3 grid(ceil_div(cols, 64), ceil_div(rows, 64));
    transpose_tile<<<grid, dim3(64, 8)>>>(in, out, rows, cols);
}

void transpose(const float *in, float *out, int rows, int cols)
{
    cudaEvent_t event[4];
    std::vector<float> times;

    for (cudaEvent_t &e : event)
        cudaEventCreate(&e);
    launch(in, out, rows, cols);
    cudaEventRecord(event[0]);
    for (int batch = 1; batch <= 3; batch++) {
        for (int call = 0; call < 5; call++)
            launch(in, out, rows, cols);
        cudaEventRecord(event[batch]);
    }
    cudaDeviceSynchronize();
    for (int batch = 1; batch <= 3; batch++) {
        float ms;
        cudaEventElapsedTime(&ms, event[batch - 1], event[batch]);
        times.push_back(1000 * ms / 5);
    }
    std::nth_element(times.begin(), times.begin() + 1, times.end());
    for (cudaEvent_t e : event)
        cudaEventDestroy(e);
}
