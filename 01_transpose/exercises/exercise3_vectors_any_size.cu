// exercise3: vectors where they are aligned: float4 for as many sizes as possible
//
// Task: do this after stage 7, which refuses rows and columns that are not multiples of 4. This
// kernel accepts any size, but moves single floats. Add float4 loads to load_tile and float4 stores
// to store_tile, each used whenever all its addresses are aligned to 16 bytes. The scalar code
// stays for the other sizes. Solved: at 256x256 loads and stores take a quarter of the requests, at
// 255x256 only the loads do, at 256x255 only the stores.
//
// Hint: `in` is aligned to 256 bytes. At which byte does row r of `in` start, and when is that a
// multiple of 16 for every r? The same for row r of `out`: how long is it?
// Hint: Loads can use float4 if the number of columns of `in` is a multiple of 4, stores if the
// number of rows of `in` is: two separate conditions. Which parameter of store_tile is the number
// of rows of `in`? 16 lanes cover a row of the tile, so the block covers 32 rows at a time. Can a
// float4 be partly outside the matrix?
// Hint: Vectors need no loop over single elements: before the scalar loop, test the remainder of
// the row length by 4, move whole float4s, and return. Which row and which first column of the
// tile has thread t, if 16 lanes cover a row of 64 columns? For the stores, which four words of
// the tile make one float4 of `out`?
//
// Points 2: correct
// Points 3 (cpu, 256x256): ld_requests == 512 and st_requests == 512 and st_sectors == 8192
// Points 2 (cpu, 255x256): ld_requests == 512 and ld_sectors == 8160
// Points 2 (cpu, 256x255): st_requests == 512 and st_sectors == 8160
// Points 1 (gpu, 16384x16384): rate >= 0.75 * ref_memcpy.rate
// Check (cpu, 70001x5)
// Check (cpu, 5x70001)
#include "transpose.h"

#define TILE 64
#define THREADS 512
#define VECTORS (TILE / 4)   // of 4 floats, in a row of the tile

// Loads the tile whose corner is row y, column x of `in`, a matrix of rows x cols.
__device__ void load_tile(float tile[][TILE + 1], const float *in, int y, int x, int rows, int cols)
{
#ifdef SOLUTION
    if (cols % 4 == 0) {   // then every row starts at a multiple of 16 bytes, and ends at one
        float4 v[TILE * VECTORS / THREADS] = {};

        for (int i = 0; i < TILE * VECTORS / THREADS; i++) {
            int row = (threadIdx.x + i * THREADS) / VECTORS, col = threadIdx.x % VECTORS * 4;
            if (y + row < rows && x + col < cols)
                v[i] = *(const float4 *)&in[(y + row) * cols + x + col];
        }
        for (int i = 0; i < TILE * VECTORS / THREADS; i++) {
            float *to = &tile[(threadIdx.x + i * THREADS) / VECTORS][threadIdx.x % VECTORS * 4];
            to[0] = v[i].x, to[1] = v[i].y, to[2] = v[i].z, to[3] = v[i].w;
        }
        return;
    }
#else
    // TODO: if all addresses are aligned, load float4, and return
#endif
    for (int i = threadIdx.x; i < TILE * TILE; i += THREADS)
        if (y + i / TILE < rows && x + i % TILE < cols)
            tile[i / TILE][i % TILE] = in[(y + i / TILE) * cols + x + i % TILE];
}

// Stores the transposed tile; its corner is row y, column x of `out`, a matrix of rows x cols.
__device__ void store_tile(float tile[][TILE + 1], float *out, int y, int x, int rows, int cols)
{
#ifdef SOLUTION
    if (cols % 4 == 0) {
        for (int i = 0; i < TILE * VECTORS / THREADS; i++) {
            int row = (threadIdx.x + i * THREADS) / VECTORS, col = threadIdx.x % VECTORS * 4;
            if (y + row < rows && x + col < cols)
                *(float4 *)&out[(y + row) * cols + x + col] = make_float4(
                    tile[col][row], tile[col + 1][row], tile[col + 2][row], tile[col + 3][row]);
        }
        return;
    }
#else
    // TODO: if all addresses are aligned, store float4, and return
#endif
    for (int i = threadIdx.x; i < TILE * TILE; i += THREADS)
        if (y + i / TILE < rows && x + i % TILE < cols)
            out[(y + i / TILE) * cols + x + i % TILE] = tile[i % TILE][i / TILE];
}

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE, y = blockIdx.y * TILE;   // corner of the tile in `in`

    load_tile(tile, in, y, x, rows, cols);
    __syncthreads();
    store_tile(tile, out, x, y, cols, rows);   // `out` has cols rows and rows columns
}

void transpose(const float *in, float *out, int rows, int cols)
{
    dim3 grid(ceil_div(cols, TILE), ceil_div(rows, TILE));

    transpose_tile<<<grid, THREADS>>>(in, out, rows, cols);
}
