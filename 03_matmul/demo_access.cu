// demo_access: access patterns of a warp in a matrix, and strides from 1 to 64
//
// Caches move sectors of 32 bytes, DRAM moves bursts of one sector or more: a request for a word
// moves its whole sector. In the simple product, sum += A[row][k] * B[k][col], where threadIdx.x
// counts columns, the lanes of a warp read adjacent columns of B and the same word of A. If it
// counted rows, they would read adjacent rows of A and the same word of B. Here a warp reads a tile
// of TILE x TILE words in TILE steps of k, in each of these ways. Caches may keep what one step
// moves and later steps use.
//
// Look at: the share of the moved bytes that the warp uses, and the rate.
// make demo_access && ./demo_access; --tsv FILE appends the rows to a table (make access)
#include "../common/harness/demo.h"
#ifdef EMU_CPU_DEVICE
#include "../common/emu/emu.h"
#endif

enum pattern { COLUMNS, ROWS, SAME_ROW, SAME_COLUMN, PATTERNS };
enum {
    WARP = 32,
    TILE = 32,
    BLOCK = 256,
    SECTOR = 32,
    PITCH = 8192,        // words in a row of the matrix that holds the tiles
    LOADS = 8,           // per thread of the strided kernel, all in flight at the same time
    SUMS = 4096,         // words for sums, so that few warps add to the same word
    CHECKED = 1 << 25,   // words of the run that is checked, at most
};
static const int strides[] = { 1,  2,  3,  4,  5,  6,  7,  8,  10, 12,
                               14, 16, 20, 24, 28, 32, 40, 48, 56, 64 };
enum { STRIDES = sizeof strides / sizeof *strides };

// Adds what a thread has read to a sum. Otherwise the compiler would remove the loads.
__device__ inline void keep(unsigned read, unsigned *sums)
{
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        read += __shfl_down_sync(0xffffffff, read, distance);
    if (threadIdx.x % WARP == 0)
        atomicAdd(&sums[(blockIdx.x * blockDim.x + threadIdx.x) / WARP % SUMS], read);
}

template <int PATTERN> __global__ void walk(const unsigned *in, unsigned *sums)
{
    unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / WARP, lane = threadIdx.x % WARP,
             read = 0;
    const unsigned *tile =
        in + (size_t)(warp / (PITCH / TILE)) * TILE * PITCH + warp % (PITCH / TILE) * TILE;

#pragma unroll 8
    for (int k = 0; k < TILE; k++)
        switch (PATTERN) {
        case COLUMNS: read += tile[k * PITCH + lane]; break;
        case ROWS: read += tile[lane * PITCH + k]; break;
        case SAME_ROW: read += tile[k]; break;
        default: read += tile[k * PITCH]; break;
        }
    keep(read, sums);
}

// Reads every stride-th word. All loads of a thread are in flight at the same time.
__global__ void strided(const unsigned *in, unsigned stride, unsigned *sums)
{
    size_t first = (size_t)blockIdx.x * BLOCK * LOADS + threadIdx.x;
    unsigned read = 0;

#pragma unroll
    for (int i = 0; i < LOADS; i++)
        read += in[(first + i * BLOCK) * stride];
    keep(read, sums);
}

// The word at index i.
__host__ __device__ inline unsigned word(size_t i)
{
    unsigned h = (unsigned)i * 0x9e3779b9u;

    return h ^ h >> 15;
}

__global__ void fill(unsigned *words, unsigned *sums)
{
    size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;

    words[i] = word(i);
    if (i < SUMS)
        sums[i] = 0;
}

// An access pattern, and what a warp uses and requests with it.
struct access {
    const char *name;
    int pattern;
    unsigned stride;                  // 0: a walk through a tile in that pattern
    unsigned used, sectors;           // different words and sectors in a request
    unsigned all_used, all_sectors;   // in all the requests of a warp
};

static struct device device;
static size_t n_words, flush_words;       // that are read; that evict those from L2
static unsigned *words, *others, *sums;   // on the device

// Returns how many different pieces of `size` words these indices are in.
static unsigned different(const size_t *place, int n, int size)
{
    unsigned count = 0;

    for (int i = 0; i < n; i++) {
        int j = 0;

        while (place[j] / size != place[i] / size)
            j++;
        count += j == i;
    }
    return count;
}

static size_t place_of(int pattern, unsigned k, unsigned lane)
{
    switch (pattern) {
    case COLUMNS: return (size_t)k * PITCH + lane;
    case ROWS: return (size_t)lane * PITCH + k;
    case SAME_ROW: return k;
    default: return (size_t)k * PITCH;
    }
}

static struct access describe(int pattern, unsigned stride)
{
    static const char *const name[] = { "adjacent columns", "adjacent rows", "same row",
                                        "same column" };
    struct access a = { stride ? "stride" : name[pattern], pattern, stride, 0, 0, 0, 0 };
    int steps = stride ? LOADS : TILE;
    size_t place[TILE * WARP];

    for (int k = 0; k < steps; k++)
        for (int lane = 0; lane < WARP; lane++)
            place[k * WARP + lane] =
                stride ? ((size_t)k * BLOCK + lane) * stride : place_of(pattern, k, lane);
    a.used = different(place, WARP, 1);
    a.sectors = different(place, WARP, SECTOR / 4);
    a.all_used = different(place, steps * WARP, 1);
    a.all_sectors = different(place, steps * WARP, SECTOR / 4);
    return a;
}

// Returns how many blocks read the first n words in this pattern.
static unsigned blocks_for(const struct access *a, size_t n)
{
    return (unsigned)(n / (a->stride ? (size_t)a->stride * BLOCK * LOADS
                                     : (size_t)TILE * TILE * (BLOCK / WARP)));
}

static void read_words(const struct access *a, const unsigned *from, size_t n)
{
    static void (*const kernel[])(const unsigned *, unsigned *) = { walk<COLUMNS>, walk<ROWS>,
                                                                    walk<SAME_ROW>,
                                                                    walk<SAME_COLUMN> };

    if (a->stride)
        strided<<<blocks_for(a, n), BLOCK, 0, cudaStreamPerThread>>>(from, a->stride, sums);
    else
        kernel[a->pattern]<<<blocks_for(a, n), BLOCK, 0, cudaStreamPerThread>>>(from, sums);
    cuda_must(cudaGetLastError(), "launching");
}

// Checks the sum of what a smaller run reads. Only a correct kernel is timed.
static void check(const struct access *a)
{
    static unsigned got[SUMS];
    size_t n = n_words < CHECKED ? n_words : CHECKED;
    unsigned blocks = blocks_for(a, n), sum = 0, want = 0;

    cuda_must(cudaMemset(sums, 0, sizeof got), "clearing the sums");
    read_words(a, words, n);
    cuda_must(cudaMemcpyAsync(got, sums, sizeof got, cudaMemcpyDeviceToHost, cudaStreamPerThread),
              "copying the sums");
    cuda_must(cudaStreamSynchronize(cudaStreamPerThread), "reading");
    for (int i = 0; i < SUMS; i++)
        sum += got[i];
    if (a->stride)
        for (size_t i = 0; i < (size_t)blocks * BLOCK * LOADS; i++)
            want += word(i * a->stride);
    for (size_t warp = 0; warp < (size_t)blocks * (BLOCK / WARP) && !a->stride; warp++) {
        size_t tile = warp / (PITCH / TILE) * TILE * PITCH + warp % (PITCH / TILE) * TILE;

        for (unsigned k = 0; k < TILE; k++)
            for (unsigned lane = 0; lane < WARP; lane++)
                want += word(tile + place_of(a->pattern, k, lane));
    }
    if (sum != want)
        die(STATUS_WRONG, "%s %u: the sum of what was read is %u, not %u", a->name, a->stride, sum,
            want);
}

struct result {
    double requests, sectors;   // of all warps together
    double used;                // bytes of different words
    struct stats time;          // GPU only
    double rate;                // GB/s of used bytes; 0 on the CPU device
};

static struct result measure(const struct access *a)
{
    double warps = (double)blocks_for(a, n_words) * (BLOCK / WARP);
    struct result r = {};

    check(a);
    r.requests = warps * (a->stride ? LOADS : TILE);
    r.sectors = r.requests * a->sectors;
    r.used = warps * a->all_used * 4;
#ifdef EMU_CPU_DEVICE
    struct emu_counts counts;

    emu_reset();
    read_words(a, words, n_words);
    emu_totals(&counts);
    r.requests = counts.ld_requests;
    r.sectors = counts.ld_sectors;
#else
    static const struct access all = describe(0, 1);

    r.time = demo_time_of([] { read_words(&all, others, flush_words); },
                          [a] { read_words(a, words, n_words); });
    r.rate = 1e-3 * r.used / r.time.median;
#endif
    return r;
}

static void allocate(void)
{
    size_t free_bytes, all_bytes;

    cuda_must(cudaMemGetInfo(&free_bytes, &all_bytes), "asking for free memory");
    // Whole rows of tiles. On a GPU, enough that the shortest launch takes about ten times as long
    // as recording an event, if memory allows.
    n_words = on_cpu_device ? (size_t)1 << 18 : (size_t)1 << 29;
    while (!on_cpu_device && n_words * 4 > free_bytes / 2 && n_words > CHECKED)
        n_words /= 2;
    flush_words = (size_t)(4 * device.l2_bytes / 4) / (BLOCK * LOADS) * (BLOCK * LOADS);
    words = demo_allocate<unsigned>(n_words);
    others = demo_allocate<unsigned>(flush_words ? flush_words : 1);
    sums = demo_allocate<unsigned>(SUMS);
    fill<<<(unsigned)(n_words / BLOCK), BLOCK, 0, cudaStreamPerThread>>>(words, sums);
    cuda_must(cudaMemsetAsync(others, 0, flush_words * 4, cudaStreamPerThread), "clearing");
    cuda_must(cudaStreamSynchronize(cudaStreamPerThread), "filling");
}

static struct demo_table table;

// A profiler adds dram_bytes: make access.
static void add_row(const struct access *a, const struct result *r)
{
    struct row row = table.common;

    row.name = a->name;
    row.mode = on_cpu_device ? "count" : "cold";
    if (a->stride)
        row_set(&row, stride, "%u", a->stride);
    row_set(&row, requests, "%.0f", r->requests);
    row_set(&row, sectors, "%.0f", r->sectors);
    row_set(&row, used_bytes, "%.0f", r->used);
    row_set(&row, moved_bytes, "%.0f", r->sectors * SECTOR);
    if (!on_cpu_device) {
        demo_set_time(&row, &r->time);
        row_set(&row, rate, "%.3f", r->rate);
        row.unit = "GB/s";
    }
    appender_put(&table.appender, &row);
}

static const char help[] =
    "demo_access: access patterns of a warp in a matrix: requests, sectors, rates\n\n"
    "usage: ./demo_access [options]\n"
    "      --tsv FILE   append rows to FILE; -: print only these\n"
    "      --once       launch each pattern once and print nothing, for a profiler\n"
    "  -h, --help       this text\n\n"
    "Exit status: 0 correct; 1 wrong result; 2 bad usage or unusable file; 3 CUDA error or out of "
    "memory.\n";

static void print_walks(void)
{
    printf("\nA warp reads a tile of %d x %d words in %d steps:\n", TILE, TILE, TILE);
    printf("%-22s%24s%24s%10s%s\n", "", "per request", "all requests", "used",
           on_cpu_device ? "" : "      used     moved");
    printf("%-22s%12s%12s%12s%12s%10s%s\n", "", "bytes used", "sectors", "bytes used", "sectors",
           "of moved", on_cpu_device ? "" : "      GB/s      GB/s");
    for (int pattern = 0; pattern < PATTERNS; pattern++) {
        struct access a = describe(pattern, 0);
        struct result r = measure(&a);
        double moved = r.sectors * SECTOR;

        printf("%-22s%12u%12.4g%12u%12u%8.1f %%", a.name, a.used * 4, r.sectors / r.requests,
               a.all_used * 4, a.all_sectors, 100 * r.used / moved);
        if (!on_cpu_device)
            printf("%10.0f%10.0f", r.rate, r.rate * moved / r.used);
        printf("\n");
        add_row(&a, &r);
    }
}

static void print_strides(void)
{
    double best = 0;

    printf("\nA warp reads %d words, a stride apart:\n", WARP);
    printf("%10s%13s%10s%s\n", "", "sectors", "used",
           on_cpu_device ? "" : "      used     moved  bytes per word,");
    printf("%10s%13s%10s%s\n", "stride", "per request", "of moved",
           on_cpu_device ? "" : "      GB/s      GB/s         apparent");
    for (int i = 0; i < STRIDES; i++) {
        struct access a = describe(0, strides[i]);
        struct result r = measure(&a);
        double moved = r.sectors * SECTOR;

        best = i == 0 ? r.rate : best;
        printf("%10d%13.4g%8.1f %%", strides[i], r.sectors / r.requests, 100 * r.used / moved);
        if (!on_cpu_device)
            printf("%10.0f%10.0f%17.1f", r.rate, r.rate * moved / r.used, 4 * best / r.rate);
        printf("\n");
        add_row(&a, &r);
    }
    if (!on_cpu_device)
        printf(
            "\nApparent bytes per word: the bytes that the rate of stride 1 would move in the same "
            "time, per word. A sector has %d bytes.\n"
            "Above that, the bytes grow to the burst of DRAM; any further growth is time, not "
            "bytes: make access separates the\n"
            "two, with ncu.\n",
            SECTOR);
}

// For a profiler: one launch for each row of the table, in its order.
static void read_once(void)
{
    for (int i = 0; i < PATTERNS + STRIDES; i++) {
        struct access a = describe(i, i < PATTERNS ? 0 : strides[i - PATTERNS]);

        read_words(&a, words, n_words);
    }
    cuda_must(cudaStreamSynchronize(cudaStreamPerThread), "reading");
}

int main(int argc, char **argv)
{
    const char *path = NULL;
    bool once = false;
    const struct demo_option options[] = { { "--tsv", &path, NULL }, { "--once", NULL, &once } };

    demo_options(argc, argv, help, options, 2);
    if (path && once)
        die(STATUS_USAGE, "--tsv and --once: choose one of them; nothing is measured there");
    device_open(0, &device);
    demo_table_open(&table, path, "03_matmul", "demo_access", &device, argc, argv);
    allocate();
    if (once) {
        read_once();
        return finish(STATUS_OK);
    }

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
    print_walks();
    print_strides();
    return finish(STATUS_OK);
}
