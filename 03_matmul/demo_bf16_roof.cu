// demo_bf16_roof: the peak rate of tensor cores in bf16
//
// Two warpgroups per SM multiply 64 x 16 by 16 x 256 repeatedly with wgmma, both from shared
// memory, as stages 15 to 17 do. Nothing else is loaded. The factors are zeros, which take
// the least power. With random factors the power limit lowers the clock further.
//
// make demo_bf16_roof && ./demo_bf16_roof; make bf16 records its row
// Needs: sm_90a
#include "../common/harness/demo.h"
#include "../common/stage/ptx_bf16.h"
#include "../common/stage/stage.h"

enum {
    WARPGROUP = 128,   // threads; one per block
    BLOCKS = 2,        // per SM
    COLS = 256,        // of B
    DEPTH = 64,        // of the tiles of A and B: four steps of 16
    AT_ONCE = 16,      // wgmmas in flight between two waits
    ROUNDS = 1 << 12,
};

// The tiles are 64 x DEPTH and DEPTH x COLS in slabs of 64 columns. All elements are `value`.
__global__ void __launch_bounds__(WARPGROUP, BLOCKS) multiply(float value, int rounds, float *out)
{
    __shared__ __align__(1024) bf16 A[64 * DEPTH], B[COLS / 64][DEPTH * 64];
    float d[COLS / 2] = {}, sum = 0;

    for (int i = threadIdx.x; i < 64 * DEPTH; i += WARPGROUP) {
        A[i] = __float2bfloat16(value);
        for (int n = 0; n < COLS / 64; n++)
            B[n][i] = A[i];
    }
    fence_proxy_async();   // wgmma reads what ordinary stores wrote
    __syncthreads();
    for (int round = 0; round < rounds; round++) {
        uint64_t a = wgmma_descriptor(A), b = wgmma_descriptor_n(B, sizeof B[0]);
        wgmma_fence();
        for (int i = 0; i < AT_ONCE; i++)
            wgmma_bf16(d, a + 2 * (i % (DEPTH / 16)), b + 128 * (i % (DEPTH / 16)), true);
        wgmma_wait(d);
    }
    for (int i = 0; i < COLS / 2; i++)
        sum += d[i];
    out[blockIdx.x * WARPGROUP + threadIdx.x] = sum;
}

// The sums after `rounds` rounds with elements of 1: 16 products per step.
static void check(const float *out, int threads, int rounds)
{
    std::vector<float> got = demo_results(out, threads);
    float want = COLS / 2 * rounds * AT_ONCE * 16;

    for (int i = 0; i < threads; i++)
        if (got[i] != want)
            die(STATUS_WRONG, "thread %d: the sum is %.9g, not %.9g", i, got[i], want);
}

int main(int argc, char **argv)
{
    const char *path = NULL;
    const struct argument known[] = { { ARGUMENT_TSV, &path, NULL } };
    struct device device;
    struct demo_table table;
    struct row row;

    take_arguments(argc, argv, "the peak rate of the tensor cores in bf16", known, 1);
    device_open(0, &device);
    if (on_cpu_device) {
        printf("SKIP: the CPU device does not measure time\n");
        return finish(STATUS_SKIPPED);
    }
    demo_table_open(&table, path, "03_matmul", "demo_bf16_roof", &device, argc, argv);

    int grid = BLOCKS * device.sms, threads = grid * WARPGROUP;
    float *out = demo_allocate<float>(threads);
    multiply<<<grid, WARPGROUP>>>(1, 4, out);
    check(out, threads, 4);
    struct stats t = demo_time_of([=] { multiply<<<grid, WARPGROUP>>>(0, ROUNDS, out); });
    double flops = 2.0 * 64 * COLS * 16 * AT_ONCE * ROUNDS * grid, rate = 1e-3 * flops / t.median;

    printf("%s, %d SMs: bf16 tensor cores %.0f GFLOP/s, median of %d launches of %.1f us\n",
           device.name, device.sms, rate, DEMO_SAMPLES, t.median);
    row = table.common;
    row.name = "bf16";
    row.mode = "roof";
    row.arithmetic = "bf16";
    row_set(&row, sms, "%d", device.sms);
    demo_set_rate(&row, &t, rate, "GFLOP/s");
    appender_put(&table.appender, &row, 1);
    return finish(STATUS_OK);
}
