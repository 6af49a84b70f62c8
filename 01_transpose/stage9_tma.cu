// stage9: TMA load of the tile (Tensor Memory Accelerator, bulk asynchronous copy)
//
// In stage 6 all threads load elements and store them to the tile. Here one thread starts copies of
// two boxes of 64 rows x 32 columns. The TMA handles edges and swizzles; an mbarrier counts bytes.
//   box      32 columns: one row is 128 bytes, 8 chunks; chunk c of row r is at c ^ (r % 8)
//   reads    8 lanes read chunk c of 8 adjacent rows, from all 32 banks
//   stores   a thread has 4 columns of one row: 4 single floats, in 4 rows of `out`
// Look at: a third of stage 6's requests, and its rate: the load instructions were not its limit.
// A block has 16 KiB in flight with any number of threads, and no registers for them: STEP=4.
// From: stage6
// make stage9 && ./stage9        make diff A=6 B=9        make stage9 STEP=4
// Needs: sm_90
// Expect (cpu, 1024x1024): bulk_ld_requests == 2 * 256
// Expect (cpu, 1024x1024): st_requests == stage6.st_requests
// Expect (sm_90, 16384x16384): rate >= 0.98 * stage6.rate
// Expect (sm_90, 16384x16384): rate <= 1.02 * stage6.rate
#include "transpose.h"

#define TILE 64
#ifndef STEP
#define STEP 8   // rows of the block: a thread takes chunks STEP apart
#endif
#define BOX 32                 // columns of a box: 128 bytes, the limit of this swizzle
#define BOX_CHUNKS (BOX / 4)   // of 4 floats, in a row of a box
static_assert(TILE / 4 % STEP == 0 && TILE * STEP <= 1024, "STEP must divide 16");

// __grid_constant__: in_map is a copy in constant memory, whose address the TMA takes.
__global__ void transpose_tile(const __grid_constant__ CUtensorMap in_map, float *out, int rows,
                               int cols)
{
    // The swizzle depends on the address. Its pattern of 8 rows of 128 bytes begins at a multiple
    // of 1024 bytes.
    __shared__ alignas(1024) float4 tile[TILE / BOX][TILE][BOX_CHUNKS];
    __shared__ uint64_t loaded;

    int x = blockIdx.y * TILE;   // first column of the tile in `in`
    int y = blockIdx.x * TILE;   // first row

    if (threadIdx.x == 0 && threadIdx.y == 0) {
        // An mbarrier counts arrivals and bytes. When both counts are complete, its phase ends, and
        // waiting threads go on. This one expects one arrival per phase.
        mbarrier_init(&loaded, 1);
        // The TMA accesses shared memory through another path (the async proxy) than the threads.
        // The fence makes the initialized mbarrier visible there.
        fence_proxy_async();
        // The arrival. It announces the bytes of both boxes, zeros outside the matrix included.
        mbarrier_arrive_expect_tx(&loaded, sizeof tile);
        // Starts two copies, and does not wait for their data.
        for (int i = 0; i < TILE / BOX; i++)
            tma_load_2d(tile[i], &in_map, x + i * BOX, y, &loaded);
    }
    __syncthreads();   // the mbarrier must be initialized before any thread waits on it
    // Waits for the end of phase 0, the first one: then the tile is complete and visible. A second
    // tile would use phase 1, a third one phase 0 again.
    mbarrier_wait(&loaded, 0);

    int row = y + threadIdx.x;   // of `in`, column of `out`
    for (int i = 0; i < TILE / 4; i += STEP) {
        int c = i + threadIdx.y;   // chunk in the row of the tile
        float4 v = tile[c / BOX_CHUNKS][threadIdx.x][(c % BOX_CHUNKS) ^ (threadIdx.x % 8)];
        if (row < rows && x + 4 * c < cols) {
            out[(x + 4 * c + 0) * rows + row] = v.x;
            out[(x + 4 * c + 1) * rows + row] = v.y;
            out[(x + 4 * c + 2) * rows + row] = v.z;
            out[(x + 4 * c + 3) * rows + row] = v.w;
        }
    }
}

void transpose(const float *in, float *out, int rows, int cols)
{
    if (cols % 4)   // the TMA needs rows of `in` that start at multiples of 16 bytes
        return refuse("columns in multiples of 4 only");
    dim3 block(TILE, STEP);
    dim3 grid(ceil_div(rows, TILE), ceil_div(cols, TILE));

    // The map of an array: type, address, rows and columns; rows and columns of a box; swizzle. The
    // host encodes it once and keeps it (tensormap.c).
    const CUtensorMap *in_map = tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, in, rows, cols, TILE,
                                              BOX, CU_TENSOR_MAP_SWIZZLE_128B);
    transpose_tile<<<grid, block>>>(*in_map, out, rows, cols);
}
