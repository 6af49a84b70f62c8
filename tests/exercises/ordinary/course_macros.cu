// Graded: 9 solved:
#include "transpose.h"
#define TILE_DIM 32
#define BLOCK_ROWS 8
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) (((a) > (b)) ? (a) : (b))
#define IDX2C(i, j, ld) (((i) * (ld)) + (j))
#define DIV_UP(a, b) (((a) + (b)-1) / (b))
#ifndef PAD
#define PAD 1
#endif
#ifdef DEBUG
#define LOG(...) printf(__VA_ARGS__)
#else
#define LOG(...)
#endif
#define DPRINTF(fmt, ...)                                                      \
    do {                                                                       \
        if (0)                                                                 \
            fprintf(stderr, "%s:%d: " fmt, __FILE__, __LINE__, ##__VA_ARGS__); \
    } while (0)
#define UNROLL _Pragma("unroll")
#define FOR_ROWS(i) UNROLL for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS)
#define COPY_IF(cond, to, from) \
    do {                        \
        if (cond)               \
            (to) = (from);      \
    } while (0)
#define STR2(x) #x
#define STR(x) STR2(x)
#include <stdio.h>
#include <stdlib.h>
__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE_DIM][TILE_DIM + PAD];
    int x = blockIdx.x * TILE_DIM + threadIdx.x, y = blockIdx.y * TILE_DIM + threadIdx.y;
    FOR_ROWS(i)
    COPY_IF(x < cols && y + i < rows, tile[threadIdx.y + i][threadIdx.x],
            in[IDX2C(y + i, x, cols)]);
    __syncthreads();
    x = blockIdx.y * TILE_DIM + threadIdx.x;
    y = blockIdx.x * TILE_DIM + threadIdx.y;
    FOR_ROWS(i)
    COPY_IF(x < rows && y + i < cols, out[IDX2C(y + i, x, rows)],
            tile[threadIdx.x][threadIdx.y + i]);
}
#undef FOR_ROWS
#define DEFINE_CHECK(SUFFIX)                                                                \
    static void check_##SUFFIX(cudaError_t e, const char *what, const char *file, int line) \
    {                                                                                       \
        if (e == cudaSuccess)                                                               \
            return;                                                                         \
        fprintf(stderr, "%s:%d: %s: %s\n", file, line, what, cudaGetErrorString(e));        \
        exit(EXIT_FAILURE);                                                                 \
    }
DEFINE_CHECK(call)
#ifndef CUDA_CHECK
#define CUDA_CHECK(...) check_call((__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)
#endif
void transpose(const float *in, float *out, int rows, int cols)
{
    LOG("%d x %d\n", rows, cols);
    DPRINTF("launch " STR(TILE_DIM) "\n");
    DPRINTF("launch %d %d\n", rows, cols);
    dim3 grid(DIV_UP(cols, TILE_DIM), DIV_UP(rows, TILE_DIM));
    transpose_tile<<<grid, dim3(MIN(TILE_DIM, 64), MAX(BLOCK_ROWS, 1))>>>(in, out, rows, cols);
    CUDA_CHECK(cudaPeekAtLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
}
