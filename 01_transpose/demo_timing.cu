// demo_timing: two ways to time a kernel (loop over launches, loop inside the kernel), at 2048x2048
//
// The slides use both ways. Today neither measures the memory bandwidth, because both arrays fit
// L2. The first way includes what each launch costs. In the second, a block copies its own tile
// again at once, which it finds in L1 or L2. The program also times the loop over launches with
// many arrays, which do not fit L2, and loads that bypass L1.
// make demo_timing && ./demo_timing
#include "../common/harness/demo.h"
#include "../common/stage/stage.h"

enum { N = 2048, TILE = 32, PASSES = 100, MOST_SETS = 1024 };
static const double BYTES = 2.0 * sizeof(float) * N * N;   // one read, one write

typedef void kernel_fn(const float *in, float *out);

#define X (blockIdx.x * TILE + threadIdx.x)
#define Y (blockIdx.y * TILE + threadIdx.y)

// The launch overhead, with the same blocks and threads.
__global__ void empty(const float *, float *) {}

// The number of passes is a template parameter: with one pass the kernel has no loop, which would
// cost time. compiler_fence() forces a load and a store in each pass; without it nvcc may keep only
// one pass.
template <int passes> __global__ void copy(const float *in, float *out)
{
#pragma unroll 1
    for (int pass = 0; pass < passes; pass++) {
        out[Y * N + X] = in[Y * N + X];
        compiler_fence();
    }
}

// The same copy, with loads that bypass the L1 cache.
template <int passes> __global__ void copy_past_l1(const float *in, float *out)
{
#pragma unroll 1
    for (int pass = 0; pass < passes; pass++) {
        out[Y * N + X] = __ldcg(&in[Y * N + X]);
        compiler_fence();
    }
}

template <int passes> __global__ void naive(const float *in, float *out)
{
#pragma unroll 1
    for (int pass = 0; pass < passes; pass++) {
        out[X * N + Y] = in[Y * N + X];
        compiler_fence();
    }
}

// A row of the tile has 32 words: with bank conflicts; or 33: padded, without.
template <int passes, int width> __global__ void tiled(const float *in, float *out)
{
    __shared__ float tile[TILE][width];

#pragma unroll 1
    for (int pass = 0; pass < passes; pass++) {
        tile[threadIdx.y][threadIdx.x] = in[Y * N + X];
        __syncthreads();
        out[(blockIdx.x * TILE + threadIdx.y) * N + blockIdx.y * TILE + threadIdx.x] =
            tile[threadIdx.x][threadIdx.y];
        __syncthreads();
    }
}

enum { EMPTY, COPY, COPY_PAST_L1, TRANSPOSES, KERNELS = 6 };   // from TRANSPOSES on: transposes
static const struct {
    const char *name;
    kernel_fn *once, *looped;   // one pass, PASSES passes
} kernels[KERNELS] = {
    { "empty", empty, empty },
    { "copy", copy<1>, copy<PASSES> },
    { "copy past L1", copy_past_l1<1>, copy_past_l1<PASSES> },
    { "naive", naive<1>, naive<PASSES> },
    { "coalesced", tiled<1, 32>, tiled<PASSES, 32> },
    { "no conflict", tiled<1, 33>, tiled<PASSES, 33> },
};

static float *in[MOST_SETS], *out[MOST_SETS];   // sets of arrays on the device

static void launch(kernel_fn *kernel, int set)
{
    kernel<<<dim3(N / TILE, N / TILE), dim3(TILE, TILE), 0, cudaStreamPerThread>>>(in[set],
                                                                                   out[set]);
}

// Returns the median time of `launches` launches in microseconds, divided by PASSES. The launches
// rotate among the first `sets` sets of arrays.
static double us_per_pass(kernel_fn *kernel, int launches, int sets)
{
    struct stats us = demo_time_of([] {},
                                   [=] {
                                       for (int i = 0; i < launches; i++)
                                           launch(kernel, i % sets);
                                   });
    return us.median / PASSES;
}

// Checks the result of a kernel, which is element r * N + c of a copy or c * N + r of a transpose.
static void check(int k, kernel_fn *kernel, float *host)
{
    cuda_must(cudaMemset(out[0], 0xff, BYTES / 2), "poisoning the output");
    launch(kernel, 0);
    cuda_must(cudaMemcpy(host, out[0], BYTES / 2, cudaMemcpyDeviceToHost), "copying to the host");
    for (int r = 0; r < N && k != EMPTY; r++)
        for (int c = 0; c < N; c++)
            if (host[r * N + c] != (float)(k < TRANSPOSES ? r * N + c : c * N + r))
                die(STATUS_WRONG, "%s: wrong at row %d, column %d", kernels[k].name, r, c);
}

// Prints what each way of timing includes, for the copy.
static void explain(const struct device *d, const double (*us)[3])
{
    const double *copied = us[COPY];

    printf(
        "\nLaunch: an empty kernel of the same grid takes %.2f us: the launch, and the start of "
        "%d blocks.\nThe loop inside the kernel pays this once for all passes. In a copy, blocks "
        "start while others\naccess memory, so a launch adds less than this to its time.\n",
        us[EMPTY][0], N / TILE * (N / TILE));
    printf("L2: both arrays have %.1f MB, L2 has %.1f MB. With arrays that do not fit L2, a copy "
           "takes\n%.2f us instead of %.2f us. At the peak bandwidth of %.0f GB/s it takes %.2f "
           "us.\n",
           BYTES / 1e6, d->l2_bytes / 1e6, copied[2], copied[0], d->peak_gbs,
           1e-3 * BYTES / d->peak_gbs);
    printf(
        "L1: inside the kernel a block copies its own tile again at once, in %.2f us per pass. "
        "Loads that\nbypass L1 take %.2f us per pass: the difference is what L1 saves. Stores go "
        "to L2 in both.\n",
        copied[1], us[COPY_PAST_L1][1]);
}

int main(int argc, char **argv)
{
    struct device device;
    double us[KERNELS][3];

    take_arguments(argc, argv, "where the time of small copies goes: launches, L2, L1", NULL, 0);
    device_open(0, &device);
    if (on_cpu_device) {
        printf("SKIP: this device does not measure time\n");
        return finish(STATUS_SKIPPED);
    }
    int sets = min((int)(4 * device.l2_bytes / BYTES) + 2, MOST_SETS);   // four times L2
    float *host = (float *)malloc(BYTES / 2);

    for (int i = 0; i < N * N; i++)
        host[i] = (float)i;   // below 2^24: all exact and different
    for (int i = 0; i < sets; i++) {
        in[i] = demo_allocate<float>(N * N);
        out[i] = demo_allocate<float>(N * N);
        cuda_must(cudaMemcpy(in[i], host, BYTES / 2, cudaMemcpyHostToDevice),
                  "copying to the device");
    }
    printf("%d x %d floats, %.1f MB read and written per pass; medians in us per pass (GB/s)\n\n",
           N, N, BYTES / 1e6);
    printf("%-14s%27s%27s%27s\n", "", "over launches, one array", "inside the kernel",
           "over launches, many arrays");
    for (int k = 0; k < KERNELS; k++) {
        check(k, kernels[k].once, host);
        check(k, kernels[k].looped, host);
        const double t[] = { us_per_pass(kernels[k].once, PASSES, 1),
                             us_per_pass(kernels[k].looped, 1, 1),
                             us_per_pass(kernels[k].once, PASSES, sets) };

        printf("%-14s", kernels[k].name);
        for (int way = 0; way < 3; way++) {
            us[k][way] = t[way];
            if (k == EMPTY)
                printf("%18.2f%9s", t[way], "");
            else
                printf("%18.2f (%6.0f)", t[way], 1e-3 * BYTES / t[way]);
        }
        puts("");
    }
    explain(&device, us);
    return finish(STATUS_OK);
}
