// Graded: 9 solved:
#include "transpose.h"

struct Tile {
    float element[32][33];
    __device__ float &at(int row, int col) { return element[row][col]; }
};

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ Tile tile;
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32;

    for (int i = threadIdx.y; i < 32; i += 8)
        if (x < cols && y + i < rows)
            tile.at(i, threadIdx.x) = in[(y + i) * cols + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32;
    for (int i = threadIdx.y; i < 32; i += 8)
        if (x < rows && y + i < cols)
            out[(y + i) * rows + x] = tile.at(threadIdx.x, i);
}

// Here: transpose of honest.cu
