// demo_access: access patterns of a warp in a matrix, and strides from 1 to 64
//
// Caches move sectors of 32 bytes, and DRAM moves bursts of one sector or more: a request for a
// word moves its whole sector. The simple product is sum += A[row][k] * B[k][col]. If threadIdx.x
// is the column, the lanes of a warp read adjacent columns of B and the same word of A. If it is
// the row, they read adjacent rows of A and the same word of B. Here a warp reads a tile of TILE x
// TILE words in TILE steps of k, in each of these ways. Caches may keep words that later steps use.
//
// Look at: the share of the moved bytes that the warp uses, and the rate.
// make demo_access && ./demo_access; --tsv FILE appends the rows to a table (make access)
#include <set>
#include "../common/harness/demo.h"
#ifdef EMU_CPU_DEVICE
#include "../common/emu/emu.h"
#endif

enum pattern { COLUMNS, ROWS, SAME_ROW, SAME_COLUMN, STRIDED };
static const char *const pattern_name[] = { "adjacent columns", "adjacent rows", "same row",
                                            "same column", "stride" };
enum {
    WARP = 32,
    TILE = 32,
    BLOCK = 256,
    SECTOR = 32,         // bytes
    PITCH = 8192,        // words in a row of the matrix that holds the tiles
    LOADS = 8,           // per thread that reads with a stride, all in flight at the same time
    CHECKED = 1 << 25,   // words of the run that is checked, at most
};

// A pattern of reads (with a stride if STRIDED), and what it moves.
static struct access {
    int pattern;
    unsigned stride;
    double requests, used, moved;   // of all warps: requests and bytes
    double rate;                    // GB/s of used bytes; 0 on the CPU device
} accesses[] = {
    { COLUMNS },     { ROWS },        { SAME_ROW },    { SAME_COLUMN }, { STRIDED, 1 },
    { STRIDED, 2 },  { STRIDED, 3 },  { STRIDED, 4 },  { STRIDED, 5 },  { STRIDED, 6 },
    { STRIDED, 7 },  { STRIDED, 8 },  { STRIDED, 10 }, { STRIDED, 12 }, { STRIDED, 14 },
    { STRIDED, 16 }, { STRIDED, 20 }, { STRIDED, 24 }, { STRIDED, 28 }, { STRIDED, 32 },
    { STRIDED, 40 }, { STRIDED, 48 }, { STRIDED, 56 }, { STRIDED, 64 },
};

__host__ __device__ constexpr unsigned steps_of(int pattern)
{
    return pattern < STRIDED ? TILE : LOADS;
}

// The index of the word that a lane of a warp reads in step k.
__host__ __device__ inline size_t place_of(int pattern, unsigned stride, unsigned warp, unsigned k,
                                           unsigned lane)
{
    size_t tile = (size_t)(warp / (PITCH / TILE)) * TILE * PITCH + warp % (PITCH / TILE) * TILE;
    size_t block = warp / (BLOCK / WARP), thread = warp % (BLOCK / WARP) * WARP + lane;

    switch (pattern) {
    case COLUMNS: return tile + k * PITCH + lane;
    case ROWS: return tile + lane * PITCH + k;
    case SAME_ROW: return tile + k;
    case SAME_COLUMN: return tile + k * PITCH;
    default: return ((block * LOADS + k) * BLOCK + thread) * stride;
    }
}

template <int PATTERN>
__global__ void read_words(const unsigned *in, unsigned stride, unsigned *sums)
{
    constexpr unsigned steps = steps_of(PATTERN);
    unsigned warp = (blockIdx.x * BLOCK + threadIdx.x) / WARP, lane = threadIdx.x % WARP, read = 0;

#pragma unroll 8
    for (unsigned k = 0; k < steps; k++)
        read += in[place_of(PATTERN, stride, warp, k, lane)];
    demo_keep(read, sums);
}

// The word at index i.
__host__ __device__ inline unsigned word(size_t i)
{
    unsigned h = (unsigned)i * 0x9e3779b9u;

    return h ^ h >> 15;
}

__global__ void fill(unsigned *words)
{
    size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;

    words[i] = word(i);
}

static struct device device;
static size_t n_words, flush_words;       // that are read; that evict those from L2
static unsigned *words, *others, *sums;   // on the device

// Returns in how many different pieces of `size` words a warp reads in its first `steps` steps.
static unsigned different(const struct access *a, unsigned steps, unsigned size)
{
    std::set<size_t> pieces;

    for (unsigned k = 0; k < steps; k++)
        for (unsigned lane = 0; lane < WARP; lane++)
            pieces.insert(place_of(a->pattern, a->stride, 0, k, lane) / size);
    return pieces.size();
}

// Returns how many blocks read the first n words.
static unsigned blocks_for(const struct access *a, size_t n)
{
    return n / (BLOCK * (size_t)(a->pattern == STRIDED ? a->stride * LOADS : TILE * TILE / WARP));
}

static void launch(const struct access *a, const unsigned *from, size_t n)
{
    typedef void kernel(const unsigned *, unsigned, unsigned *);
    static kernel *const kernels[] = { read_words<COLUMNS>, read_words<ROWS>, read_words<SAME_ROW>,
                                       read_words<SAME_COLUMN>, read_words<STRIDED> };

    kernels[a->pattern]<<<blocks_for(a, n), BLOCK>>>(from, a->stride, sums);
    cuda_must(cudaGetLastError(), "launching");
}

// Checks the sum of what a smaller run reads.
static void check(const struct access *a)
{
    size_t n = n_words < CHECKED ? n_words : CHECKED;
    unsigned want = 0;

    for (unsigned warp = 0; warp < blocks_for(a, n) * (BLOCK / WARP); warp++)
        for (unsigned k = 0; k < steps_of(a->pattern); k++)
            for (unsigned lane = 0; lane < WARP; lane++)
                want += word(place_of(a->pattern, a->stride, warp, k, lane));
    demo_check_sum(text_of("%s %u", pattern_name[a->pattern], a->stride), want, sums,
                   [=] { launch(a, words, n); });
}

static struct demo_table table;

// Counts or times, and appends the row, to which a profiler adds dram_bytes: make access.
static void measure(struct access *a)
{
    double warps = (double)blocks_for(a, n_words) * (BLOCK / WARP);
    unsigned steps = steps_of(a->pattern);
    struct row row = table.common;

    check(a);
    a->requests = warps * steps;
    a->used = warps * different(a, steps, 1) * 4;
    a->moved = a->requests * different(a, 1, SECTOR / 4) * SECTOR;
#ifdef EMU_CPU_DEVICE
    struct emu_counts counts;

    emu_reset();
    launch(a, words, n_words);
    emu_totals(&counts);
    a->requests = counts.ld_requests;
    a->moved = (double)counts.ld_sectors * SECTOR;
    row.mode = "count";
#else
    static const struct access all = { STRIDED, 1 };
    struct stats time =
        demo_time_of([] { launch(&all, others, flush_words); }, [a] { launch(a, words, n_words); });

    a->rate = 1e-3 * a->used / time.median;
    row.mode = "cold";
    demo_set_rate(&row, &time, a->rate, "GB/s");
#endif
    row.name = pattern_name[a->pattern];
    if (a->stride)
        row_set(&row, stride, "%u", a->stride);
    row_set(&row, requests, "%.0f", a->requests);
    row_set(&row, sectors, "%.0f", a->moved / SECTOR);
    row_set(&row, used_bytes, "%.0f", a->used);
    row_set(&row, moved_bytes, "%.0f", a->moved);
    appender_put(&table.appender, &row);
}

static void allocate(void)
{
    // Whole rows of tiles. On a GPU, enough that the shortest launch takes about ten times as long
    // as recording an event, if memory allows.
    n_words = on_cpu_device ? (size_t)1 << 18 : demo_large(1) / 4;
    flush_words = (size_t)(4 * device.l2_bytes / 4) / (BLOCK * LOADS) * (BLOCK * LOADS);
    words = demo_allocate<unsigned>(n_words);
    others = demo_allocate<unsigned>(flush_words + 1);
    sums = demo_allocate<unsigned>(DEMO_SUMS);
    fill<<<n_words / BLOCK, BLOCK>>>(words);
    cuda_must(cudaGetLastError(), "filling");
}

static void print_device(void)
{
    if (on_cpu_device)
        printf("The CPU device counts requests and measures no time. %.2f MB of words.",
               4e-6 * n_words);
    else
        printf("%s: L2 %.1f MB, peak bandwidth %.0f GB/s. %.2f GB of words; before each launch "
               "other words, four times L2, are read;\n"
               "medians of %d launches.",
               device.name, 1e-6 * device.l2_bytes, device.peak_gbs, 4e-9 * n_words, DEMO_SAMPLES);
    printf(" used: different words that a warp requests. moved: the sectors\nof its "
           "requests, without caches.\n");
}

static void print_head(int pattern)
{
    if (pattern == STRIDED)
        printf("\nA warp reads %d words, a stride apart:\n"
               "                sectors      used%s\n    stride  per request  of moved%s\n",
               WARP, on_cpu_device ? "" : "      used     moved  bytes per word,",
               on_cpu_device ? "" : "      GB/s      GB/s         apparent");
    else
        printf("\nA warp reads a tile of %d x %d words in %d steps:\n"
               "%46s%24s      used%s\n%34s     sectors  bytes used     sectors  of moved%s\n",
               TILE, TILE, TILE, "per request", "all requests",
               on_cpu_device ? "" : "      used     moved", "bytes used",
               on_cpu_device ? "" : "      GB/s      GB/s");
}

static void print_line(const struct access *a)
{
    unsigned steps = steps_of(a->pattern);
    double sectors = a->moved / SECTOR / a->requests;

    if (a->stride)
        printf("%10u%13.4g", a->stride, sectors);
    else
        printf("%-22s%12u%12.4g%12u%12u", pattern_name[a->pattern], different(a, 1, 1) * 4, sectors,
               different(a, steps, 1) * 4, different(a, steps, SECTOR / 4));
    printf("%8.1f %%", 100 * a->used / a->moved);
    if (!on_cpu_device)
        printf("%10.0f%10.0f", a->rate, a->rate * a->moved / a->used);
    if (!on_cpu_device && a->stride)
        printf("%17.1f", 4 * accesses[STRIDED].rate / a->rate);
    printf("\n");
}

int main(int argc, char **argv)
{
    const char *path = NULL;
    int once = 0;
    const struct argument known[] = {
        { ARGUMENT_TSV, &path, NULL },
        { "--once", "launch each pattern once and print nothing, for a profiler", NULL, &once }
    };

    take_arguments(argc, argv, "access patterns of a warp in a matrix: requests, sectors, rates",
                   known, 2);
    if (path && once)
        die(STATUS_USAGE, "--tsv and --once: choose one of them; nothing is measured there");
    device_open(0, &device);
    demo_table_open(&table, path, "03_matmul", "demo_access", &device, argc, argv);
    allocate();
    if (!once)
        print_device();
    for (struct access &a : accesses) {
        if (once) {   // one launch for each row of the table, in its order
            launch(&a, words, n_words);
            continue;
        }
        measure(&a);
        if (&a == &accesses[0] || a.stride == 1)
            print_head(a.pattern);
        print_line(&a);
    }
    if (!on_cpu_device && !once)
        printf(
            "\nApparent bytes per word: the bytes that the rate of stride 1 would move in the same "
            "time, per word. Above a sector, %d bytes,\n"
            "they grow to the burst of DRAM; any further growth is time, not bytes: make access "
            "separates the two, with ncu.\n",
            SECTOR);
    cuda_must(cudaDeviceSynchronize(), "reading");
    return finish(STATUS_OK);
}
