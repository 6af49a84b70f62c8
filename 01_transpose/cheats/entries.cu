// The entries of the lab "find the cheat": two honest kernels and eight cheats. Do not change them:
// change benchmark.cu. docs/lab_cheat.md
#include "entries.h"

enum { TILE = 32 };

static int tiles(int n) { return (n + TILE - 1) / TILE; }

static void prepare_nothing(const float *, float *, int, int) {}

// --- honest

__global__ void transpose_naive(const float *in, float *out, int rows, int cols)
{
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;

    if (x < cols && y < rows)
        out[x * rows + y] = in[y * cols + x];
}

// Transposes the first gridDim.y rows of tiles. Keeps the bits of `mask` of each element.
__global__ void transpose_tile(const float *in, float *out, int rows, int cols, unsigned mask)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;

    if (x < cols && y < rows)
        tile[threadIdx.y][threadIdx.x] = __int_as_float(__float_as_int(in[y * cols + x]) & mask);
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    if (x < rows && y < cols)
        out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}

static void launch_tiles(cudaStream_t stream, const float *in, float *out, int rows, int cols)
{
    LAUNCH(stream, transpose_tile, dim3(tiles(cols), tiles(rows)), dim3(TILE, TILE), in, out, rows,
           cols, 0xffffffff);
}

static void naive(const float *in, float *out, int rows, int cols)
{
    LAUNCH(0, transpose_naive, dim3(tiles(cols), tiles(rows)), dim3(TILE, TILE), in, out, rows,
           cols);
}

static void tiled(const float *in, float *out, int rows, int cols)
{
    launch_tiles(0, in, out, rows, cols);
}

// --- cheats

// Does not compute again what it was asked for before.
static void cached(const float *in, float *out, int rows, int cols)
{
    static const float *last_in, *last_out;
    static int last_rows, last_cols;

    if (in != last_in || out != last_out || rows != last_rows || cols != last_cols)
        launch_tiles(0, in, out, rows, cols);
    last_in = in;
    last_out = out;
    last_rows = rows;
    last_cols = cols;
}

// Computes in its first call for a size only.
static void first_call(const float *in, float *out, int rows, int cols)
{
    static int done[4096];

    if (!done[(rows * 31 + cols) % 4096]++)
        launch_tiles(0, in, out, rows, cols);
}

// Computes half of the tiles.
static void half_done(const float *in, float *out, int rows, int cols)
{
    LAUNCH(0, transpose_tile, dim3((tiles(cols) + 1) / 2, tiles(rows)), dim3(TILE, TILE), in, out,
           rows, cols, 0xffffffff);
}

// Rounds the number of tiles down: elements at the edges are missing, unless the size is
// convenient.
static void convenient_size(const float *in, float *out, int rows, int cols)
{
    if (rows >= TILE && cols >= TILE)
        LAUNCH(0, transpose_tile, dim3(cols / TILE, rows / TILE), dim3(TILE, TILE), in, out, rows,
               cols, 0xffffffff);
}

// Works in a stream that waits for no other one, and which no event of the default stream sees.
static void other_stream(const float *in, float *out, int rows, int cols)
{
    static cudaStream_t stream;

    if (!stream)
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    launch_tiles(stream, in, out, rows, cols);
}

// Its streaming stores leave `in` in L2 for the next call. That is no gain if the next call has
// other data.
static void warm_cache(const float *in, float *out, int rows, int cols)
{
    next_keeps_in_l2(in);
    launch_tiles(0, in, out, rows, cols);
}

// Computes in prepare(), which is not timed.
static void nothing(const float *, float *, int, int) {}

// Keeps 16 of the 32 bits of each element.
static void low_precision(const float *in, float *out, int rows, int cols)
{
    LAUNCH(0, transpose_tile, dim3(tiles(cols), tiles(rows)), dim3(TILE, TILE), in, out, rows, cols,
           0xffff0000);
}

const struct named_entry entries[] = {
    { "tiled", { prepare_nothing, tiled }, true, false },
    { "naive", { prepare_nothing, naive }, true, false },
    { "cached", { prepare_nothing, cached }, false, false },
    { "first_call", { prepare_nothing, first_call }, false, true },
    { "half_done", { prepare_nothing, half_done }, false, true },
    { "convenient_size", { prepare_nothing, convenient_size }, false, true },
    { "other_stream", { prepare_nothing, other_stream }, false, false },
    { "warm_cache", { prepare_nothing, warm_cache }, false, false },
    { "prepared", { tiled, nothing }, false, true },
    { "low_precision", { prepare_nothing, low_precision }, false, true },
};
const int n_entries = sizeof entries / sizeof *entries;
