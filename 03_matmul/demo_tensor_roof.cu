// demo_tensor_roof: the peak rate of tensor cores in TF32
//
// Four warpgroups per SM multiply 64 x 8 by 8 x 128 repeatedly with wgmma, A from registers and B
// from shared memory. Nothing else is loaded. So this is the roof of a kernel in TF32, as
// demo_roofs measures that of fp32. With three TF32 products per fp32 product (stage 30) the roof
// is a third.
//
// make demo_tensor_roof && ./demo_tensor_roof; make roofline records its row
// Needs: sm_90a
#include "../common/harness/demo.h"
#include "../common/stage/stage.h"

enum {
    WARPGROUP = 128,   // threads; one per block
    BLOCKS = 4,        // per SM
    COLS = 128,        // of B
    DEPTH = 32,        // of the tile of B: four steps of 8
    AT_ONCE = 16,      // wgmmas in flight between two waits
    ROUNDS = 1 << 12,
};

// Each thread holds two values of A for its upper row, and two for the row 8 further down. So every
// row of A is one of these pairs, four times. Every element of B is 1.
static const float UPPER[2] = { 1, 0.5f }, LOWER[2] = { -1, -0.25f };

__global__ void __launch_bounds__(WARPGROUP, BLOCKS)
    multiply(float u0, float u1, float l0, float l1, int rounds, float2 *out)
{
    __shared__ __align__(1024) float tile[COLS * DEPTH];
    float d[64] = {}, a[4] = { u0, l0, u1, l1 };

    for (int i = threadIdx.x; i < COLS * DEPTH; i += WARPGROUP)
        tile[i] = 1;
    fence_proxy_async();   // wgmma reads what ordinary stores wrote
    __syncthreads();
    for (int round = 0; round < rounds; round++) {
        wgmma_fence();
        for (int i = 0; i < AT_ONCE; i++)
            wgmma_tf32(d, a, wgmma_descriptor(tile) + 2 * (i % (DEPTH / 8)), true);
        wgmma_wait(d);
    }
    float2 sum = {};
    for (int i = 0; i < 64; i += 4) {
        sum.x += d[i] + d[i + 1];
        sum.y += d[i + 2] + d[i + 3];
    }
    out[blockIdx.x * WARPGROUP + threadIdx.x] = sum;
}

static void check(const float2 *out, int threads)
{
    std::vector<float2> got = demo_results(out, threads);
    double steps = (double)ROUNDS * AT_ONCE * 32;   // of 8, for the 32 columns of a thread

    for (int i = 0; i < threads; i++)
        if (got[i].x != 4 * (UPPER[0] + UPPER[1]) * steps ||
            got[i].y != 4 * (LOWER[0] + LOWER[1]) * steps)
            die(STATUS_WRONG, "thread %d: the sums are %.9g and %.9g, not %.9g and %.9g", i,
                got[i].x, got[i].y, 4 * (UPPER[0] + UPPER[1]) * steps,
                4 * (LOWER[0] + LOWER[1]) * steps);
}

int main(int argc, char **argv)
{
    const char *path = NULL;
    const struct argument known[] = { { ARGUMENT_TSV, &path, NULL } };
    struct device device;
    struct demo_table table;
    struct row row;

    take_arguments(argc, argv, "the peak rate of the tensor cores in TF32", known, 1);
    device_open(0, &device);
    if (on_cpu_device) {
        printf("SKIP: the CPU device does not measure time\n");
        return finish(STATUS_SKIPPED);
    }
    demo_table_open(&table, path, "03_matmul", "demo_tensor_roof", &device, argc, argv);

    int grid = BLOCKS * device.sms, threads = grid * WARPGROUP;
    float2 *out = demo_allocate<float2>(threads);
    struct stats t = demo_time_of([=] {
        multiply<<<grid, WARPGROUP>>>(UPPER[0], UPPER[1], LOWER[0], LOWER[1], ROUNDS, out);
    });
    double flops = 2.0 * 64 * COLS * 8 * AT_ONCE * ROUNDS * grid, rate = 1e-3 * flops / t.median;

    check(out, threads);
    printf("%s, %d SMs: TF32 tensor cores %.0f GFLOP/s, median of %d launches of %.1f us\n",
           device.name, device.sms, rate, DEMO_SAMPLES, t.median);
    row = table.common;
    row.name = "tf32";
    row.mode = "roof";
    row.arithmetic = "tf32";
    row_set(&row, sms, "%d", device.sms);
    demo_set_rate(&row, &t, rate, "GFLOP/s");
    appender_put(&table.appender, &row, 1);
    return finish(STATUS_OK);
}
