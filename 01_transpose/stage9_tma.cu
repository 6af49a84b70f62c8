// stage9: TMA. Hopper's copy engine brings the tile: one thread asks, no register holds data on its
// way, and the edges are cut off for us.
//
// Change: the loads of stage 8 become two bulk copies of boxes of 32 x 64 floats, by a map that
// tells the engine where the matrix lies. It swizzles as it writes: the chunk of column c in row r
// of a box lies at place c ^ (r % 8). So eight threads that read chunks from eight rows below one
// another meet no conflict; each holds one row, and stores its four floats into four rows of the
// output. Threads wait at a barrier in shared memory that counts the bytes that have come. It buys
// no rate here: that was at its limit before.
//
// make stage9 && ./stage9; make diff A=8 B=9
//
// Needs: sm_90
// Expect (sm_90, 16384x16384): rate >= 0.98 * stage8.rate
// Expect (sm_90, 16384x16384): rate <= 1.02 * stage8.rate
#include "transpose.h"

#ifndef TILE
#define TILE 64
#endif
#ifndef STEP
#define STEP 8
#endif
#define BOX 32   // columns of a box: 128 bytes, all that this swizzle takes
#define CHUNKS (BOX / 4)
static_assert(TILE % BOX == 0 && TILE <= 96 && TILE / 4 % STEP == 0,
              "TILE must be 32, 64 or 96, and STEP divide TILE / 4");

__global__ void transpose_tile(const __grid_constant__ CUtensorMap in, float *out, int rows,
                               int cols)
{
    __shared__ alignas(1024) float4 tile[TILE / BOX][TILE][CHUNKS];
    __shared__ uint64_t loaded;

    int x = blockIdx.y * TILE;
    int y = blockIdx.x * TILE;

    if (threadIdx.x == 0 && threadIdx.y == 0) {
        mbarrier_init(&loaded, 1);
        fence_proxy_async();
        mbarrier_arrive_expect(&loaded, sizeof tile);
        for (int i = 0; i < TILE / BOX; i++)
            tma_load_2d(tile[i], &in, x + i * BOX, y, &loaded);
    }
    __syncthreads();   // nobody waits at the barrier before it is one
    mbarrier_wait(&loaded, 0);

    y += threadIdx.x;
    for (int i = 0; i < TILE / 4; i += STEP) {
        int c = i + threadIdx.y;   // the chunk's place in the row of the tile
        float4 v = tile[c / CHUNKS][threadIdx.x][c % CHUNKS ^ threadIdx.x % 8];
        if (y < rows && x + 4 * c < cols) {
            out[(x + 4 * c + 0) * rows + y] = v.x;
            out[(x + 4 * c + 1) * rows + y] = v.y;
            out[(x + 4 * c + 2) * rows + y] = v.z;
            out[(x + 4 * c + 3) * rows + y] = v.w;
        }
    }
}

void transpose(const float *in, float *out, int rows, int cols)
{
    if (cols % 4)
        return refuse("columns in multiples of 4 only");
    dim3 block(TILE, STEP);
    dim3 grid(ceil_div(rows, TILE), ceil_div(cols, TILE));

    transpose_tile<<<grid, block>>>(*tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, in, rows, cols,
                                                   TILE, BOX, CU_TENSOR_MAP_SWIZZLE_128B),
                                    out, rows, cols);
}
