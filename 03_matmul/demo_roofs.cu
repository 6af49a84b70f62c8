// demo_roofs: the roofs of the roofline model, each measured alone
//
// fp32 multiply-adds, reading and copying memory, reading L2 and shared memory. At its arithmetic
// intensity, a kernel is at most as fast as the lowest roof. Each kernel here does one of these
// things, and as little else as possible. Data sheets state the clock times the width; programs
// reach less.
//
// make demo_roofs && ./demo_roofs; --tsv FILE appends the rows to a table (make roofline)
#include <math.h>
#include "../common/harness/demo.h"

enum {
    BLOCK = 256,
    CHAINS = 8,   // independent multiply-adds per thread
    UNROLL = 16,
    LOADS = 4,                  // of 16 bytes per thread, in flight at the same time
    TILE = BLOCK * LOADS * 4,   // words that a block reads per step
    ROUNDS = 1 << 11,           // per launch, for data that stays in registers or shared memory
};

// x alternates between two values. With constant operands, adders draw less power and may run
// faster.
static const float FACTOR = -1, SUMMAND = 0.3f;

// x = x * factor + summand, over and over. fmaf() rounds once, here and on the host.
__global__ void multiply_add(float factor, float summand, int rounds, float *out)
{
    int thread = blockIdx.x * BLOCK + threadIdx.x;
    float x[CHAINS], sum = 0;

    for (int c = 0; c < CHAINS; c++)
        x[c] = threadIdx.x + c;
    for (int round = 0; round < rounds; round++)
#pragma unroll
        for (int i = 0; i < UNROLL * CHAINS; i++)
            x[i % CHAINS] = fmaf(x[i % CHAINS], factor, summand);
    for (int c = 0; c < CHAINS; c++)
        sum += x[c];
    out[thread] = sum;
}

__device__ inline unsigned add_up(uint4 v) { return v.x + v.y + v.z + v.w; }

// Blocks visit the tiles of `in` round-robin. The loads bypass L1.
__global__ void read(const uint4 *in, int tiles, int visits, unsigned *out)
{
    unsigned sum = 0;

    for (int visit = blockIdx.x; visit < visits; visit += gridDim.x) {
        size_t first = (size_t)(visit % tiles) * BLOCK * LOADS + threadIdx.x;
        uint4 v[LOADS];

        for (int i = 0; i < LOADS; i++)
            v[i] = __ldcg(&in[first + i * BLOCK]);
        for (int i = 0; i < LOADS; i++)
            sum += add_up(v[i]);
    }
    out[blockIdx.x * BLOCK + threadIdx.x] = sum;
}

// The word at index i of each tile; the number of the tile is added to it.
__host__ __device__ inline unsigned word(unsigned i) { return (i + 1) * 0x9e3779b9u; }

__global__ void fill(unsigned *words)
{
    for (int i = threadIdx.x; i < TILE; i += BLOCK)
        words[(size_t)blockIdx.x * TILE + i] = word(i) + blockIdx.x;
}

__global__ void copy(const uint4 *in, uint4 *out)
{
    size_t first = (size_t)blockIdx.x * BLOCK * LOADS + threadIdx.x;
    uint4 v[LOADS];

    for (int i = 0; i < LOADS; i++)
        v[i] = in[first + i * BLOCK];
    for (int i = 0; i < LOADS; i++)
        out[first + i * BLOCK] = v[i];
}

// Each round reads another address, so that the compiler cannot keep the values. Floats, because
// adding ints would take longer than loading them. The values are small and their sums exact.
__global__ void read_shared(int rounds, float *out)
{
    __shared__ float4 tile[LOADS][BLOCK];
    float sum = 0;

    for (int i = 0; i < LOADS; i++)
        tile[i][threadIdx.x] = make_float4(1, 2, 3, threadIdx.x % 32);
    __syncthreads();
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < LOADS; i++) {
            float4 v = tile[i][(threadIdx.x + round) % BLOCK];
            sum += (v.x + v.y) + (v.z + v.w);
        }
    out[blockIdx.x * BLOCK + threadIdx.x] = sum;
}

static struct device device;
static struct demo_table table;
static int grid;   // blocks that are resident at the same time, unless registers or shared memory
                   // limit them

static void put(const char *name, const char *words, struct stats t, double work, const char *unit,
                const char *note)
{
    double rate = 1e-3 * work / t.median;
    struct row row = table.common;

    printf("%-26s%10.0f %-9s%10.1f us   %s\n", words, rate, unit, t.median, note);
    row.name = name;
    row.mode = "roof";
    row_set(&row, sms, "%d", device.sms);
    demo_set_rate(&row, &t, rate, unit);
    appender_put(&table.appender, &row, 1);
}

static void expect(const char *what, double got, double want)
{
    if (got != want)
        die(STATUS_WRONG, "%s: the result is %.9g, not %.9g", what, got, want);
}

static void roof_of_multiply_adds(void)
{
    float *out = demo_allocate<float>((size_t)grid * BLOCK);
    struct stats t =
        demo_time_of([=] { multiply_add<<<grid, BLOCK>>>(FACTOR, SUMMAND, ROUNDS, out); });
    std::vector<float> got = demo_results(out, (size_t)grid * BLOCK);

    for (int thread = 0; thread < BLOCK; thread++) {
        float want = 0;

        for (int c = 0; c < CHAINS; c++) {
            float x = thread + c;

            for (int i = 0; i < ROUNDS * UNROLL; i++)
                x = fmaf(x, FACTOR, SUMMAND);
            want += x;
        }
        for (int block = 0; block < grid; block++)
            expect("fp32 multiply-adds", got[block * BLOCK + thread], want);
    }
    put("fma", "fp32 multiply-adds", t, 2.0 * grid * BLOCK * CHAINS * UNROLL * ROUNDS, "GFLOP/s",
        "a multiply-add counts as two");
}

// Makes `visits` visits to the first `tiles` tiles, checks the sum, and returns the time.
static struct stats reading(const char *what, const uint4 *in, int tiles, int visits,
                            unsigned *sums)
{
    struct stats t = demo_time_of([=] { read<<<grid, BLOCK>>>(in, tiles, visits, sums); });
    unsigned sum = 0, want = 0;

    for (unsigned part : demo_results(sums, (size_t)grid * BLOCK))
        sum += part;
    for (unsigned i = 0; i < TILE; i++)
        want += visits * word(i);
    for (int visit = 0; visit < visits; visit++)
        want += TILE * (unsigned)(visit % tiles);
    expect(what, sum, want);
    return t;
}

static void roofs_of_memory(void)
{
    const double tile_bytes = TILE * sizeof(unsigned);
    size_t bytes = demo_large(2);
    char note[64];

    int tiles = (int)(bytes / tile_bytes), l2_tiles = (int)(device.l2_bytes / 4 / tile_bytes);
    uint4 *in = demo_allocate<uint4>(bytes / sizeof(uint4)),
          *out = demo_allocate<uint4>(bytes / sizeof(uint4));
    unsigned *sums = demo_allocate<unsigned>((size_t)grid * BLOCK);
    fill<<<tiles, BLOCK>>>((unsigned *)in);

    struct stats t = reading("reading memory", in, tiles, tiles, sums);
    snprintf(note, sizeof note, "%.1f %% of the peak, %.0f GB/s",
             1e-1 * tiles * tile_bytes / t.median / device.peak_gbs, device.peak_gbs);
    put("read", "reading memory", t, tiles * tile_bytes, "GB/s", note);

    t = demo_time_of([=] { copy<<<tiles, BLOCK>>>(in, out); });
    reading("copying in memory", out, tiles, tiles, sums);
    snprintf(note, sizeof note, "%.1f %% of it; read and written",
             2e-1 * tiles * tile_bytes / t.median / device.peak_gbs);
    put("copy", "copying in memory", t, 2 * tiles * tile_bytes, "GB/s", note);

    t = reading("reading L2", in, l2_tiles, tiles, sums);
    snprintf(note, sizeof note, "a quarter of its %.1f MB, repeatedly", 1e-6 * device.l2_bytes);
    put("l2", "reading L2", t, tiles * tile_bytes, "GB/s", note);
}

static void roof_of_shared_memory(void)
{
    const int rounds = 4 * ROUNDS;
    float *out = demo_allocate<float>((size_t)grid * BLOCK);
    struct stats t = demo_time_of([=] { read_shared<<<grid, BLOCK>>>(rounds, out); });

    for (float got : demo_results(out, (size_t)grid * BLOCK))
        expect("reading shared memory", got, (6 + 15.5) * rounds * LOADS);
    put("shared", "reading shared memory", t, (double)rounds * LOADS * sizeof(uint4) * grid * BLOCK,
        "GB/s", "of all SMs together, 16 bytes per load");
}

int main(int argc, char **argv)
{
    const char *path = NULL;
    const struct argument known[] = { { ARGUMENT_TSV, &path, NULL } };

    take_arguments(argc, argv, "the highest rates at which this GPU computes and moves data", known,
                   1);
    device_open(0, &device);
    if (on_cpu_device) {
        printf("SKIP: the CPU device does not measure time\n");
        return finish(STATUS_SKIPPED);
    }
    demo_table_open(&table, path, "03_matmul", "demo_roofs", &device, argc, argv);
    grid = device.sms * demo_attribute(cudaDevAttrMaxThreadsPerMultiProcessor) / BLOCK;
    printf("%s, %d SMs; medians of %d launches\n\n", device.name, device.sms, DEMO_SAMPLES);
    roof_of_multiply_adds();
    roofs_of_memory();
    roof_of_shared_memory();
    return finish(STATUS_OK);
}
