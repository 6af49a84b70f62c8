// demo_access: a request for a word moves its whole sector of 32 bytes
//
// The simple product is sum += A[row][k] * B[k][col]. If threadIdx.x is the column, the lanes of a
// warp read adjacent columns of B and the same word of A; if it is the row, they read adjacent rows
// of A and the same word of B. Here a warp reads a tile of 32 x 32 words in 32 steps in each of
// these ways, then words that are a stride apart.
//
//   word of lane l in step k: base + l * stride + k * step
//
// Look at: the sectors per request, the share of their bytes that the warp uses, and the rate.
// L1 cycles: what a request takes in L1. L1 looks up 4 lines per cycle, and each of its 32 banks
// delivers one word per cycle (docs/machine.md). Rows of a multiple of 128 bytes have a column in
// one bank; --pitch 8193 moves each row by a bank.
// A miss in L2 reads 32, 64 or 128 bytes from DRAM: --fetch chooses, where the GPU allows it.
// make demo_access && ./demo_access; --tsv FILE appends the rows to a table (make access)
#include <map>
#include <set>
#include "../common/harness/demo.h"

enum {
    WARP = 32,
    BLOCK = 256,
    SECTOR = 32,      // bytes
    COLUMNS = 8192,   // words of a row of the matrix that are in tiles
    LOADS = 8,        // steps of a warp that reads with a stride: all in flight at the same time
};

// How the warps read; its addresses are in words.
struct access {
    const char *name;
    unsigned stride, step, steps;
    unsigned pitch;   // words from a row of the matrix to the next
};

// The word that a lane of a warp reads in step k. A tile is in a matrix; with a stride, the warps
// of a block are adjacent in each step.
__host__ __device__ inline size_t word_of(struct access a, unsigned warp, unsigned k, unsigned lane)
{
    size_t tiles = COLUMNS / WARP, base = (warp / tiles * WARP * a.pitch) + warp % tiles * WARP;

    if (a.steps == LOADS)
        base = ((size_t)warp / (BLOCK / WARP) * LOADS * BLOCK + warp % (BLOCK / WARP) * WARP) *
               a.stride;
    return base + (size_t)lane * a.stride + (size_t)k * a.step;
}

template <int STEPS> __global__ void read_words(const unsigned *in, struct access a, unsigned *sums)
{
    unsigned thread = blockIdx.x * BLOCK + threadIdx.x, read = 0;

#pragma unroll 8
    for (unsigned k = 0; k < STEPS; k++)
        read += in[word_of(a, thread / WARP, k, thread % WARP)];
    demo_keep(read, sums);
}

static size_t n_words, flush_words;       // that are read; that evict those from L2
static unsigned *words, *others, *sums;   // on the device
static const char *fetch;                 // bytes that a miss in L2 reads from DRAM, or NULL
static const char *pitch;                 // words from a row to the next, or NULL: COLUMNS

// In how many different pieces of `size` words a warp reads in its first `steps` steps.
static double pieces(struct access a, unsigned steps, unsigned size)
{
    std::set<size_t> found;

    for (unsigned k = 0; k < steps; k++)
        for (unsigned lane = 0; lane < WARP; lane++)
            found.insert(word_of(a, 0, k, lane) / size);
    return found.size();
}

// Cycles of L1 per request of the first step: lines / 4, or the most different words of a bank.
static double l1_cycles(struct access a)
{
    std::map<size_t, std::set<size_t>> bank;
    size_t cycles = (size_t)(pieces(a, 1, 32) + 3) / 4;

    for (unsigned lane = 0; lane < WARP; lane++) {
        size_t word = word_of(a, 0, 0, lane);

        bank[word % 32].insert(word);
        cycles = std::max(cycles, bank[word % 32].size());
    }
    return (double)cycles;
}

// The number of blocks that read the first n words.
static unsigned blocks_for(struct access a, size_t n)
{
    return n / (BLOCK * (size_t)(a.steps == LOADS ? a.stride * LOADS : WARP));
}

static void launch(struct access a, const unsigned *from, size_t n)
{
    (a.steps == LOADS ? read_words<LOADS> : read_words<WARP>)<<<blocks_for(a, n), BLOCK>>>(from, a,
                                                                                           sums);
    cuda_must(cudaGetLastError(), "launching");
}

// Prints a line and appends a row, to which a profiler adds dram_bytes: make access.
static void measure(struct access a, struct demo_table *table)
{
    double warps = (double)blocks_for(a, n_words) * (BLOCK / WARP),
           sectors = pieces(a, 1, SECTOR / 4);
    double used = warps * pieces(a, a.steps, 1) * 4, moved = warps * a.steps * sectors * SECTOR;
    struct row row = table->common;

    printf("%-18s%8s%21g%12g%16.1f %%", a.name, a.steps == LOADS ? text_of("%u", a.stride) : "",
           sectors, l1_cycles(a), 100 * used / moved);
    row.name = a.name;
    if (fetch)
        row.variant = text_of("fetch=%s", fetch);
    if (pitch)
        row.variant = with_word(row.variant, text_of("pitch=%s", pitch));
    row.mode = on_cpu_device ? "count" : "cold";
    if (!on_cpu_device) {
        struct access all = { "", 1, BLOCK, LOADS, 0 };
        struct stats time = demo_time_of([=] { launch(all, others, flush_words); },
                                         [=] { launch(a, words, n_words); });

        demo_set_rate(&row, &time, 1e-3 * used / time.median, "GB/s");
        printf("%14.0f%14.0f", 1e-3 * used / time.median, 1e-3 * moved / time.median);
    }
    printf("\n");
    if (a.steps == LOADS)
        row_set(&row, stride, "%u", a.stride);
    row_set(&row, requests, "%.0f", warps * a.steps);
    row_set(&row, sectors, "%.0f", moved / SECTOR);
    row_set(&row, used_bytes, "%.0f", used);
    row_set(&row, moved_bytes, "%.0f", moved);
    appender_put(&table->appender, &row, 1);
}

// Asks for what a miss in L2 reads. The GPU may ignore the request; then the program ends.
static void set_fetch(const char *bytes)
{
    size_t want = 0, got = 0;

    if (!has_word("32 64 128", bytes))
        die(STATUS_USAGE, "--fetch '%s': expected 32, 64 or 128 bytes", bytes);
    if (on_cpu_device)
        die(STATUS_USAGE, "--fetch: the CPU device has no DRAM; use a GPU");
    want = strtoul(bytes, NULL, 10);
    cuda_must(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, want), "choosing what L2 fetches");
    cuda_must(cudaDeviceGetLimit(&got, cudaLimitMaxL2FetchGranularity), "reading what L2 fetches");
    if (got != want)
        die(STATUS_SKIPPED, "--fetch %zu: this GPU fetches %zu bytes", want, got);
}

// Words from a row of the matrix to the next.
static unsigned pitch_of(const char *words)
{
    unsigned n = words ? (unsigned)strtoul(words, NULL, 10) : COLUMNS;

    if (n < COLUMNS || n > 2 * COLUMNS)
        die(STATUS_USAGE, "--pitch '%s': expected %d to %d words", words, COLUMNS, 2 * COLUMNS);
    return n;
}

// In a matrix whose rows are n words apart; then strides, on which the pitch has no influence.
static std::vector<struct access> all_accesses(unsigned n)
{
    std::vector<struct access> all = {
        { "adjacent columns", 1, n, WARP, n },
        { "adjacent rows", n, 1, WARP, n },
        { "same row", 0, 1, WARP, n },
        { "same column", 0, n, WARP, n },
    };

    if (!pitch)
        for (unsigned stride :
             { 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56, 64 })
            all.push_back({ "stride", stride, BLOCK * stride, LOADS, 0 });
    return all;
}

int main(int argc, char **argv)
{
    const char *path = NULL;
    int once = 0;
    const struct argument known[] = {
        { ARGUMENT_TSV, &path, NULL },
        { "--fetch", "BYTES let a miss in L2 read 32, 64 or 128 bytes from DRAM", &fetch, NULL },
        { "--pitch", "WORDS from a row of the matrix to the next, at least 8192", &pitch, NULL },
        { "--once", "launch each pattern once and print nothing, for a profiler", NULL, &once }
    };
    struct demo_table table;
    struct device device;
    unsigned row_words;

    take_arguments(argc, argv, "access patterns of a warp in a matrix: sectors and rates", known,
                   4);
    row_words = pitch_of(pitch);
    if (path && once)
        die(STATUS_USAGE, "--tsv and --once: choose one of them; nothing is measured there");
    device_open(0, &device);
    if (fetch)
        set_fetch(fetch);
    demo_table_open(&table, path, "03_matmul", "demo_access", &device, argc, argv);
    // On a GPU, enough words that the shortest launch takes ten times as long as recording an
    // event.
    n_words = on_cpu_device ? (size_t)1 << 18 : demo_large(1) / 4;
    flush_words = (size_t)(4 * device.l2_bytes / 4) / (BLOCK * LOADS) * (BLOCK * LOADS);
    words = demo_allocate<unsigned>(n_words / COLUMNS * row_words);
    others = demo_allocate<unsigned>(flush_words + 1);
    sums = demo_allocate<unsigned>(DEMO_SUMS);
    if (!once)
        printf("%-18s%8s%21s%12s%18s%s\n", "a warp reads", "stride", "sectors per request",
               "L1 cycles", "used of moved", on_cpu_device ? "" : "    used, GB/s   moved, GB/s");
    for (struct access a : all_accesses(row_words))
        if (once)   // one launch per row of the table, in its order
            launch(a, words, n_words);
        else
            measure(a, &table);
    cuda_must(cudaDeviceSynchronize(), "reading");
    return finish(STATUS_OK);
}
