// demo_tensor_roof: the peak rates of tensor cores in TF32 and in bf16
//
// TF32: four warpgroups per SM multiply 64 x 8 by 8 x 128 repeatedly with wgmma, A from registers
// and B from shared memory. Nothing else is loaded. So this is the roof of a kernel in TF32, as
// demo_roofs measures that of fp32. With three TF32 products per fp32 product (stage 19) the roof
// is a third.
//
// bf16: two warpgroups per SM multiply 64 x 16 by 16 x 256, both from shared memory, as stages 24
// to 30 do. The factors are zeros, with which the clock does not fall. With random factors the
// power limit does, not the tensor cores.
//
// make demo_tensor_roof && ./demo_tensor_roof; make roofline records its rows
// Needs: sm_90a
#include "../common/harness/demo.h"
#include "../common/stage/ptx_bf16.h"
#include "../common/stage/stage.h"

enum {
    WARPGROUP = 128,   // threads; one per block
    BLOCKS = 4,        // per SM, in TF32
    COLS = 128,        // of B
    DEPTH = 32,        // of the tile of B: four steps of 8
    AT_ONCE = 16,      // wgmmas in flight between two waits
    ROUNDS = 1 << 12,
    BF16_BLOCKS = 2,
    BF16_COLS = 256,
    BF16_DEPTH = 64,   // of the tiles of A and B: four steps of 16
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

// The tiles are 64 x BF16_DEPTH and BF16_DEPTH x BF16_COLS in slabs of 64 columns, all `value`.
__global__ void __launch_bounds__(WARPGROUP, BF16_BLOCKS)
    multiply_bf16(float value, int rounds, float2 *out)
{
    __shared__ __align__(1024) bf16 A[64 * BF16_DEPTH], B[BF16_COLS / 64][BF16_DEPTH * 64];
    float d[BF16_COLS / 2] = {}, sum = 0;

    for (int i = threadIdx.x; i < 64 * BF16_DEPTH; i += WARPGROUP) {
        A[i] = __float2bfloat16(value);
        for (int n = 0; n < BF16_COLS / 64; n++)
            B[n][i] = A[i];
    }
    fence_proxy_async();
    __syncthreads();
    for (int round = 0; round < rounds; round++) {
        uint64_t a = wgmma_descriptor(A), b = wgmma_descriptor_n(B, sizeof B[0]);
        wgmma_fence();
        for (int i = 0; i < AT_ONCE; i++)
            wgmma_bf16(d, a + 2 * (i % (BF16_DEPTH / 16)), b + 128 * (i % (BF16_DEPTH / 16)), true);
        wgmma_wait(d);
    }
    for (int i = 0; i < BF16_COLS / 2; i++)
        sum += d[i];
    out[blockIdx.x * WARPGROUP + threadIdx.x] = make_float2(sum, 0);
}

// Ends the program if a thread's sums are not (x, y).
static void check(const float2 *out, int threads, double x, double y)
{
    std::vector<float2> got = demo_results(out, threads);

    for (int i = 0; i < threads; i++)
        if (got[i].x != x || got[i].y != y)
            die(STATUS_WRONG, "thread %d: the sums are %.9g and %.9g, not %.9g and %.9g", i,
                got[i].x, got[i].y, x, y);
}

// Prints and stores the roof `name` of `flops` operations in the time t.
static void put(struct demo_table *table, const struct device *d, const char *name,
                const char *words, double flops, const struct stats *t)
{
    struct row row = table->common;
    double rate = 1e-3 * flops / t->median;

    printf("%s, %d SMs: %s tensor cores %.0f GFLOP/s, median of %d launches of %.1f us\n", d->name,
           d->sms, words, rate, DEMO_SAMPLES, t->median);
    row.name = name;
    row.mode = "roof";
    row.arithmetic = name;
    row_set(&row, sms, "%d", d->sms);
    demo_set_rate(&row, t, rate, "GFLOP/s");
    appender_put(&table->appender, &row);
}

int main(int argc, char **argv)
{
    const char *path = NULL;
    const struct argument known[] = { { ARGUMENT_TSV, &path, NULL } };
    struct device device;
    struct demo_table table;

    take_arguments(argc, argv, "the peak rates of the tensor cores in TF32 and in bf16", known, 1);
    device_open(0, &device);
    if (on_cpu_device) {
        printf("SKIP: the CPU device does not measure time\n");
        return finish(STATUS_SKIPPED);
    }
    demo_table_open(&table, path, "03_matmul", "demo_tensor_roof", &device, argc, argv);

    int grid = BLOCKS * device.sms, threads = grid * WARPGROUP;
    double steps = (double)ROUNDS * AT_ONCE * 32;   // of 8, for the 32 columns of a thread
    float2 *out = demo_allocate<float2>(threads);
    struct stats t = demo_time_of([=] {
        multiply<<<grid, WARPGROUP>>>(UPPER[0], UPPER[1], LOWER[0], LOWER[1], ROUNDS, out);
    });

    check(out, threads, 4 * (UPPER[0] + UPPER[1]) * steps, 4 * (LOWER[0] + LOWER[1]) * steps);
    put(&table, &device, "tf32", "TF32", 2.0 * 64 * COLS * 8 * AT_ONCE * ROUNDS * grid, &t);
    grid = BF16_BLOCKS * device.sms;
    multiply_bf16<<<grid, WARPGROUP>>>(1, 4, out);   // four rounds of AT_ONCE steps of 16
    check(out, grid * WARPGROUP, BF16_COLS / 2 * 4 * AT_ONCE * 16, 0);
    t = demo_time_of([=] { multiply_bf16<<<grid, WARPGROUP>>>(0, ROUNDS, out); });
    put(&table, &device, "bf16", "bf16", 2.0 * 64 * BF16_COLS * 16 * AT_ONCE * ROUNDS * grid, &t);
    return finish(STATUS_OK);
}
