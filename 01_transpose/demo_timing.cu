// demo_timing: two ways to time a kernel (loop over launches, loop inside the kernel), at 2048x2048
//
// The slides use both ways. Neither measures the memory bandwidth. The first includes the launch
// overhead and finds the arrays in L2; the second finds them in L1. The program also times the loop
// over launches with many arrays, which do not fit L2, and loads that bypass L1.
// make demo_timing && ./demo_timing
#include <stdio.h>
#include <stdlib.h>

#include "../common/stage/stage.h"

enum { N = 2048, TILE = 32, PASSES = 100, SAMPLES = 9 };
static const double BYTES = 2.0 * sizeof(float) * N * N;   // one read, one write

typedef void kernel_fn(const float *in, float *out, int passes);

#define X (blockIdx.x * TILE + threadIdx.x)
#define Y (blockIdx.y * TILE + threadIdx.y)

// The launch overhead, with the same blocks and threads.
__global__ void empty(const float *, float *, int) {}

// compiler_fence() forces a load and a store in each pass; without it nvcc may keep only one pass.
__global__ void copy(const float *in, float *out, int passes)
{
    for (int pass = 0; pass < passes; pass++) {
        out[Y * N + X] = in[Y * N + X];
        compiler_fence();
    }
}

// The same copy, with loads that bypass the L1 cache.
__global__ void copy_past_l1(const float *in, float *out, int passes)
{
    for (int pass = 0; pass < passes; pass++) {
        out[Y * N + X] = __ldcg(&in[Y * N + X]);
        compiler_fence();
    }
}

__global__ void naive(const float *in, float *out, int passes)
{
    for (int pass = 0; pass < passes; pass++) {
        out[X * N + Y] = in[Y * N + X];
        compiler_fence();
    }
}

// WIDTH 32: with bank conflicts; 33: padded, without.
template <int WIDTH> __global__ void tiled(const float *in, float *out, int passes)
{
    __shared__ float tile[TILE][WIDTH];

    for (int pass = 0; pass < passes; pass++) {
        tile[threadIdx.y][threadIdx.x] = in[Y * N + X];
        __syncthreads();
        out[(blockIdx.x * TILE + threadIdx.y) * N + blockIdx.y * TILE + threadIdx.x] =
            tile[threadIdx.x][threadIdx.y];
        __syncthreads();
    }
}

enum result { NOTHING, COPY, TRANSPOSE };

static const struct {
    const char *name;
    kernel_fn *kernel;
    enum result result;
} kernels[] = {
    { "empty", empty, NOTHING },
    { "copy", copy, COPY },
    { "copy past L1", copy_past_l1, COPY },
    { "naive", naive, TRANSPOSE },
    { "coalesced", tiled<TILE>, TRANSPOSE },
    { "no conflict", tiled<TILE + 1>, TRANSPOSE },
};
enum { EMPTY, PLAIN_COPY, COPY_PAST_L1, KERNELS = sizeof kernels / sizeof *kernels };

static const dim3 grid(N / TILE, N / TILE), block(TILE, TILE);
static float *in[1024], *out[1024];   // sets of buffers on the device
static int sets;                      // their number: together four times the size of L2

static void check(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "demo_timing: %s: %s\n", what, cudaGetErrorString(error));
    exit(3);
}

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;

    return (x > y) - (x < y);
}

// Returns the median time of one pass in microseconds, of `launches` launches of `passes` passes,
// which rotate among the first `n_sets` sets of buffers.
static double us_per_pass(kernel_fn *kernel, int launches, int passes, int n_sets)
{
    cudaEvent_t start, stop;
    float ms[SAMPLES];

    check(cudaEventCreate(&start), "creating an event");
    check(cudaEventCreate(&stop), "creating an event");
    for (int i = -1; i < SAMPLES; i++) {   // the first is the warm-up
        check(cudaEventRecord(start, cudaStreamPerThread), "recording the start");
        for (int launch = 0; launch < launches; launch++)
            kernel<<<grid, block, 0, cudaStreamPerThread>>>(in[launch % n_sets],
                                                            out[launch % n_sets], passes);
        check(cudaGetLastError(), "launching");
        check(cudaEventRecord(stop, cudaStreamPerThread), "recording the end");
        check(cudaEventSynchronize(stop), "running the kernels");
        check(cudaEventElapsedTime(&ms[i < 0 ? 0 : i], start, stop), "reading the time");
    }
    check(cudaEventDestroy(start), "freeing an event");
    check(cudaEventDestroy(stop), "freeing an event");
    qsort(ms, SAMPLES, sizeof *ms, by_value);
    return 1e3 * ms[SAMPLES / 2] / ((double)launches * passes);
}

static void skip_without_time(void)
{
    cudaEvent_t event;
    float ms;

    check(cudaEventCreate(&event), "creating an event");
    check(cudaEventRecord(event, cudaStreamPerThread), "recording an event");
    check(cudaEventSynchronize(event), "waiting for an event");
    check(cudaEventElapsedTime(&ms, event, event), "reading a time");
    if (isnan(ms)) {
        printf("SKIP: this device does not measure time\n");
        exit(77);
    }
    check(cudaEventDestroy(event), "freeing an event");
}

static void allocate(void)
{
    int l2 = 0;
    float *host = (float *)malloc(N * N * sizeof *host);

    check(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, 0), "reading the size of L2");
    sets = (int)(4.0 * l2 / BYTES) + 2;
    if (!host || sets > 1024) {
        fprintf(stderr, "demo_timing: no memory for %d sets of buffers\n", sets);
        exit(3);
    }
    for (int i = 0; i < N * N; i++)
        host[i] = (float)i;   // below 2^24: all exact and different
    for (int i = 0; i < sets; i++) {
        check(cudaMalloc((void **)&in[i], N * N * sizeof *host), "allocating");
        check(cudaMalloc((void **)&out[i], N * N * sizeof *host), "allocating");
        check(cudaMemcpy(in[i], host, N * N * sizeof *host, cudaMemcpyHostToDevice),
              "copying to the device");
    }
    free(host);
}

// Checks the result of a kernel before it is timed.
static void check_result(int k)
{
    kernel_fn *kernel = kernels[k].kernel;
    float *host = (float *)malloc(N * N * sizeof *host);

    check(cudaMemset(out[0], 0xff, N * N * sizeof *host), "poisoning the output");
    kernel<<<grid, block>>>(in[0], out[0], 2);
    check(cudaGetLastError(), "launching");
    check(cudaMemcpy(host, out[0], N * N * sizeof *host, cudaMemcpyDeviceToHost),
          "copying to the host");
    for (int r = 0; r < N && kernels[k].result != NOTHING; r++)
        for (int c = 0; c < N; c++)
            if (host[r * N + c] != (float)(kernels[k].result == COPY ? r * N + c : c * N + r)) {
                fprintf(stderr, "demo_timing: %s: wrong at row %d, column %d\n", kernels[k].name, r,
                        c);
                exit(1);
            }
    free(host);
}

// Prints what each way of timing includes.
static void explain(const double *one, const double *inside, const double *many)
{
    int clock_khz = 0, bus_bits = 0, l2 = 0;
    check(cudaDeviceGetAttribute(&clock_khz, cudaDevAttrMemoryClockRate, 0),
          "reading the memory clock");
    check(cudaDeviceGetAttribute(&bus_bits, cudaDevAttrGlobalMemoryBusWidth, 0),
          "reading the memory bus width");
    check(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, 0), "reading the size of L2");
    double twice = us_per_pass(copy, 1, 2 * PASSES, 1) * 2 / inside[PLAIN_COPY];

    printf("\nLaunch: an empty kernel of the same grid takes %.2f us, %.0f %% of the copy's time "
           "over\n"
           "launches. The loop inside the kernel pays this once for all passes.\n",
           one[EMPTY], 100 * one[EMPTY] / one[PLAIN_COPY]);
    printf("L2: both arrays have %.1f MB, L2 has %.1f MB. With %d sets of arrays, which do not fit "
           "L2,\n"
           "a copy takes %.2f us instead of %.2f us. At the peak bandwidth of %.0f GB/s it takes "
           "%.2f us.\n",
           BYTES / 1e6, l2 / 1e6, sets, many[PLAIN_COPY], one[PLAIN_COPY],
           2e-6 * clock_khz * bus_bits / 8, 1e-3 * BYTES / (2e-6 * clock_khz * bus_bits / 8));
    printf("L1: inside the kernel a block reads its own tile again at once. Loads that bypass L1 "
           "take\n"
           "%.2f us per pass instead of %.2f us there, and %.2f us instead of %.2f us over "
           "launches.\n",
           inside[COPY_PAST_L1], inside[PLAIN_COPY], one[COPY_PAST_L1], one[PLAIN_COPY]);
    printf(
        "Check: the compiler removed no pass. Twice the passes inside the kernel take %.2f times\n"
        "as long.\n",
        twice);
}

int main(int argc, char **argv)
{
    double many[KERNELS], one[KERNELS], inside[KERNELS];

    if (argc > 1) {
        fprintf(stderr, "demo_timing: %s: unknown argument; expected none\n", argv[1]);
        return 2;
    }
    skip_without_time();
    allocate();

    printf("%d x %d floats, %.1f MB read and written per pass; %d passes; medians of %d runs\n\n",
           N, N, BYTES / 1e6, PASSES, SAMPLES);
    printf("%-14s%26s%26s%26s\n", "", "over launches, one array", "inside the kernel",
           "over launches, many arrays");
    printf("%-14s%14s%12s%14s%12s%14s%12s\n", "", "us per pass", "GB/s", "us per pass", "GB/s",
           "us per pass", "GB/s");
    for (int k = 0; k < KERNELS; k++) {
        check_result(k);
        one[k] = us_per_pass(kernels[k].kernel, PASSES, 1, 1);
        inside[k] = us_per_pass(kernels[k].kernel, 1, PASSES, 1);
        many[k] = us_per_pass(kernels[k].kernel, PASSES, 1, sets);
        if (k == EMPTY)
            printf("%-14s%14.2f%12s%14.2f%12s%14.2f%12s\n", kernels[k].name, one[k], "", inside[k],
                   "", many[k], "");
        else
            printf("%-14s%14.2f%12.0f%14.2f%12.0f%14.2f%12.0f\n", kernels[k].name, one[k],
                   1e-3 * BYTES / one[k], inside[k], 1e-3 * BYTES / inside[k], many[k],
                   1e-3 * BYTES / many[k]);
    }
    explain(one, inside, many);
    return 0;
}
