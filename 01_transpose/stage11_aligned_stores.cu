// stage11: sector-aligned stores for any shape
//
// At 4099x8191 stage 6 is slower than at 16384x16384: most rows of `out` start inside a sector (32
// bytes). A store request then touches 5 sectors, not 4, and where two tiles meet, two blocks each
// write a part of one sector. Here each piece of a row starts `shift` = 0 to 7 floats earlier,
// where a sector starts. The extra floats are the tile's halo: up to 7 rows of `in` above it.
//
//   sectors of a row of out   |........|........|........|........|........|
//   pieces in stage 6         |...aaaaa|aaaaaaaa|aaabbbbb|bbbbbbbb|bbb.....|    a, b, c: blocks
//   pieces here               |...aaaaa|aaaaaaaa|bbbbbbbb|bbbbbbbb|ccc.....|    (16 of 64 floats)
//
// Look at (-n 1023x1025): 3.9 sectors per store request, not 4.9, for an eighth more loads.
// From: stage6
// make stage11 && ./stage11 -n 4099x8191        make diff A=6 B=11
// Expect (cpu, 1023x1025): st_sectors <= 4 * st_requests
// Expect (sm_90, 4099x8191): rate >= 1.15 * stage6.rate
#include "transpose.h"

#define TILE 64
#define ROWS (TILE / 8)      // of the tile, per thread: one element in each
#define STEP (TILE / ROWS)   // rows of the block: 8
#define SECTOR 8   // floats; it divides STEP, so y % SECTOR is the same in all rows of a thread

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    // the first SECTOR rows are the halo: rows of `in` above the tile, of which pieces of `out`
    // need the last `shift`
    __shared__ float tile[SECTOR + TILE][TILE + 1];
    float v[ROWS] = {}, above = 0;         // above: of the halo; zero past the matrix
    bool unaligned = rows % SECTOR != 0;   // else every row of `out` starts at a sector

    int x = blockIdx.y * TILE + threadIdx.x;   // column of `in`
    int y = blockIdx.x * TILE + threadIdx.y;   // row of `in`

    for (int i = 0; i < ROWS; i++)
        if (x < cols && y + i * STEP < rows)
            v[i] = in[(y + i * STEP) * cols + x];
    if (unaligned && x < cols && y >= SECTOR && y - SECTOR < rows)
        above = in[(y - SECTOR) * cols + x];
    for (int i = 0; i < ROWS; i++)
        tile[SECTOR + threadIdx.y + i * STEP][threadIdx.x] = v[i];
    if (unaligned)
        tile[threadIdx.y][threadIdx.x] = above;
    __syncthreads();   // a thread reads what other threads stored

    y = blockIdx.y * TILE + threadIdx.y;   // row of `out`
    // Row y of `out` starts at float y * rows of the matrix, and this piece at a multiple of SECTOR
    // floats after that. So it starts y * rows % SECTOR floats after the start of a sector. The
    // remainders of both factors give the same result, and their product cannot overflow.
    int shift = (y % SECTOR) * (rows % SECTOR) % SECTOR;
    x = (int)(blockIdx.x * TILE - shift + threadIdx.x);   // column of `out`, or negative
    for (int i = 0; i < ROWS; i++)
        if (x >= 0 && x < rows && y + i * STEP < cols)
            out[(y + i * STEP) * rows + x] =
                tile[SECTOR - shift + threadIdx.x][threadIdx.y + i * STEP];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    // the last piece of a row may start up to SECTOR - 1 floats earlier
    int width = rows % SECTOR ? rows + SECTOR - 1 : rows;
    dim3 block(TILE, STEP);
    dim3 grid(ceil_div(width, TILE), ceil_div(cols, TILE));

    transpose_tile<<<grid, block>>>(in, out, rows, cols);
}
