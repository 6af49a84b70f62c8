// exercise8: time a kernel with events: warm-up, batches of calls, median
//
// Task: do this after part 4. Write us_per_call(): one call of launch() as a warm-up, then BATCHES
// batches of CALLS calls, each batch between two events. It returns the median of the batches, in
// microseconds per call. transpose() prints it on a GPU. The host must wait for an event before it
// asks for the time: without that, cudaEventElapsedTime() returns cudaErrorNotReady. The CPU device
// counts events, launches, and the launches between the two events of each time. It returns NaN as
// the time, so it cannot judge whether your number is the median, and in microseconds: on a GPU,
// compare it with the time in the report of ./exercise8 -n 2048.
//
// Hint: A launch returns at once. Which of the four calls cudaEventRecord(), the launch,
// cudaEventSynchronize() and cudaEventElapsedTime() makes the host wait?
// Hint: A batch: record start, launch CALLS times, record stop, wait for stop, ask for the time in
// milliseconds. The warm-up comes before the first batch, and is not between two events.
// Hint: cudaEventElapsedTime() gives the milliseconds of the whole batch: how many microseconds
// is that per call? The result is the middle one of the sorted batches. What must be destroyed
// at the end?
//
// Points 3: correct
// Points 3 (cpu, 64x64): kernels == 16 and timed_kernels == 15 and ld_sectors == 8192
// Points 3 (cpu, 64x64): events >= 4 and events <= 6 and timed_kernels == 15
// Points 1 (gpu, 16384x16384): rate >= 0.04 * ref_memcpy.rate
// Check (cpu, 65x257)
#include "transpose.h"
#include <algorithm>
#include <stdio.h>

#define TILE 64
#define ROWS 8
#define STEP (TILE / ROWS)   // rows of the block
enum { BATCHES = 3, CALLS = 5 };

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];
    float v[ROWS] = {};   // zero where the tile reaches past the matrix

    int x = blockIdx.x * TILE + threadIdx.x;   // column of `in`
    int y = blockIdx.y * TILE + threadIdx.y;   // row of `in`

    for (int i = 0; i < ROWS; i++)
        if (x < cols && y + i * STEP < rows)
            v[i] = in[(y + i * STEP) * cols + x];
    for (int i = 0; i < ROWS; i++)
        tile[threadIdx.y + i * STEP][threadIdx.x] = v[i];
    __syncthreads();

    x = blockIdx.y * TILE + threadIdx.x;   // column of `out`
    y = blockIdx.x * TILE + threadIdx.y;   // row of `out`
    for (int i = 0; i < ROWS; i++)
        if (x < rows && y + i * STEP < cols)
            out[(y + i * STEP) * rows + x] = tile[threadIdx.x][threadIdx.y + i * STEP];
}

static void launch(const float *in, float *out, int rows, int cols)
{
    dim3 block(TILE, STEP);
    dim3 grid(ceil_div(cols, TILE), ceil_div(rows, TILE));

    transpose_tile<<<grid, block>>>(in, out, rows, cols);
}

// Returns the microseconds per call of launch(): the median of BATCHES batches of CALLS calls,
// after one call as a warm-up.
static float us_per_call(const float *in, float *out, int rows, int cols)
{
#ifdef SOLUTION
    cudaEvent_t start, stop;
    float us[BATCHES], ms;

    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    launch(in, out, rows, cols);   // the warm-up
    for (int i = 0; i < BATCHES; i++) {
        cudaEventRecord(start);
        for (int call = 0; call < CALLS; call++)
            launch(in, out, rows, cols);
        cudaEventRecord(stop);
        cudaEventSynchronize(stop);
        cudaEventElapsedTime(&ms, start, stop);
        us[i] = 1000 * ms / CALLS;
    }
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    std::sort(us, us + BATCHES);
    return us[BATCHES / 2];
#else
    float us[BATCHES] = {};

    // TODO: one call as a warm-up, then BATCHES batches of CALLS calls, each between two events
    return us[BATCHES / 2];
#endif
}

void transpose(const float *in, float *out, int rows, int cols)
{
    static bool said;
    float us = us_per_call(in, out, rows, cols);

    if (us > 0 && !said && rows == 2048 && cols == 2048)
        fprintf(stderr, "exercise8: %.2f us per call at 2048x2048\n", us);
    said |= us > 0 && rows == 2048 && cols == 2048;
}
