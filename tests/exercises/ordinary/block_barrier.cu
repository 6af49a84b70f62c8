// Graded: 9 solved:
#include "transpose.h"
#include <cuda/barrier>
#include <cooperative_groups.h>
#pragma nv_diag_suppress static_var_with_dynamic_init
using barrier = cuda::barrier<cuda::thread_scope_block>;
__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[32][33];
    __shared__ barrier bar;
    auto block = cooperative_groups::this_thread_block();
    if (block.thread_rank() == 0)
        init(&bar, block.size());
    block.sync();
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8)
        if (x < cols && y + i < rows)
            cuda::memcpy_async(&tile[threadIdx.y + i][threadIdx.x], &in[(y + i) * cols + x],
                               sizeof(float), bar);
    barrier::arrival_token token = bar.arrive();
    bar.wait(std::move(token));
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8)
        if (x < rows && y + i < cols)
            out[(y + i) * rows + x] = tile[threadIdx.x][threadIdx.y + i];
}
// Here: transpose of honest.cu
