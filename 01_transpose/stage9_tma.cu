// stage9: TMA load of the tile (Tensor Memory Accelerator, bulk asynchronous copy)
//
// In stage 8 all threads load elements and store them to the tile. Here one thread starts two
// copies of a box of 64 rows x 32 columns. The TMA handles the edges and swizzles the tile; an
// mbarrier counts the bytes. A tensor map describes `in`; the host encodes it once and keeps it
// (tensormap.c). The TMA's own swizzle changes more than the copy:
//
//   box      32 columns: one row is 128 bytes, 8 chunks; chunk c of row r is at c ^ (r % 8)
//   reads    8 lanes read chunk c of 8 adjacent rows, from all 32 banks; a block has 64x8 threads
//   stores   a thread has 4 columns of one row: 4 single floats, in 4 rows of `out`
//
// Look at: no load requests; the rate of stage 8, which instructions did not limit.
// make stage9 && ./stage9        make diff A=8 B=9
// Needs: sm_90
// Expect (sm_90, 16384x16384): rate >= 0.98 * stage8.rate
// Expect (sm_90, 16384x16384): rate <= 1.02 * stage8.rate
#include "transpose.h"

#define TILE 64
#define STEP 8
#define BOX 32             // columns of a box: 128 bytes, the limit of this swizzle
#define CHUNKS (BOX / 4)   // of 4 floats, in a row of a box

__global__ void transpose_tile(const __grid_constant__ CUtensorMap in, float *out, int rows,
                               int cols)
{
    __shared__ alignas(1024) float4 tile[TILE / BOX][TILE][CHUNKS];
    __shared__ uint64_t loaded;

    int x = blockIdx.y * TILE;   // first column of the tile in `in`
    int y = blockIdx.x * TILE;   // first row

    if (threadIdx.x == 0 && threadIdx.y == 0) {
        // A phase of this mbarrier ends after one arrival, when all expected bytes have arrived.
        mbarrier_init(&loaded, 1);
        // The TMA accesses shared memory through another path (the async proxy) than the threads.
        // The fence makes the initialized mbarrier visible there.
        fence_proxy_async();
        // The arrival. It announces the bytes of both boxes, zeros outside the matrix included.
        mbarrier_arrive_expect_tx(&loaded, sizeof tile);
        for (int i = 0; i < TILE / BOX; i++)
            tma_load_2d(tile[i], &in, x + i * BOX, y, &loaded);   // returns before the data arrive
    }
    __syncthreads();   // the mbarrier must be initialized before any thread waits on it
    // Waits for the end of phase 0, the first one: then the tile is complete and visible. A second
    // tile would use phase 1, a third one phase 0 again.
    mbarrier_wait(&loaded, 0);

    y += threadIdx.x;   // row of `in`, column of `out`
    for (int i = 0; i < TILE / 4; i += STEP) {
        int c = i + threadIdx.y;   // chunk in the row of the tile
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
