// demo_coalescing: the slides' access patterns, counted by the rules of each GPU generation
//
// Global memory, from one generation to the next:
//   2007 (1.1)   thread k of a half-warp must read word k of an aligned segment, or not take part
//   2008 (1.3)   a half-warp's loads combine into segments of 32, 64 or 128 bytes, in any order
//   2010 (2.0)   a warp's loads combine into cache lines of 128 bytes
//   today        a warp's loads combine into sectors of 32 bytes
// Shared memory: 16 banks for a half-warp then, 32 banks for a warp today. Each pattern is a kernel
// with requests of one kind. The CPU device counts them by each rule; a GPU measures time.
// make DEVICE=cpu demo_coalescing && ./demo_coalescing --rules 1.1
// make demo_coalescing && ./demo_coalescing                           on a GPU
#include "../common/harness/demo.h"
#ifdef EMU_CPU_DEVICE
#include "../common/emu/emu.h"
#endif

enum {
    WARP = 32,
    BLOCK = 256,
    LOADS = 8,          // per thread, in flight together
    SLACK = 1024,       // bytes after the array, for shifted patterns
    SUMS = 4096,        // destinations of atomicAdd: many, so that warps rarely share one
    TILE = 8192,        // bytes of shared memory
    ROUNDS = 1 << 12,   // per timed launch that reads shared memory
    CHECKED_BLOCKS = 4,
};

// Thread t reads the word at index (t * stride ^ flip) + shift; multiples of `out` do not take
// part.
struct pattern {
    unsigned stride, flip, shift, out;
};
__host__ __device__ inline bool takes_part(struct pattern p, unsigned thread)
{
    return !p.out || thread % p.out;
}
__host__ __device__ inline size_t place(struct pattern p, unsigned thread)
{
    return ((size_t)thread * p.stride ^ p.flip) + p.shift;
}

struct example {
    const char *name;
    int size;   // bytes of a word: 1, 2, 4, 8 or 16
    struct pattern pattern;
};
static const struct example global_memory[] = {
    { "4 bytes, in order", 4, { 1, 0, 0, 0 } },
    { "  some threads left out", 4, { 1, 0, 0, 5 } },
    { "  permuted", 4, { 1, 1, 0, 0 } },
    { "  misaligned, by one word", 4, { 1, 0, 1, 0 } },
    { "  misaligned, by 20 words", 4, { 1, 0, 20, 0 } },
    { "  every second word", 4, { 2, 0, 0, 0 } },
    { "  every 32nd word", 4, { 32, 0, 0, 0 } },
    { "1 byte, in order", 1, { 1, 0, 0, 0 } },
    { "2 bytes, in order", 2, { 1, 0, 0, 0 } },
    { "8 bytes, in order", 8, { 1, 0, 0, 0 } },
    { "16 bytes, in order", 16, { 1, 0, 0, 0 } },
};
static const struct example shared_memory[] = {
    { "words, stride 1", 4, { 1, 0, 0, 0 } },
    { "  permuted", 4, { 1, 13, 0, 0 } },
    { "  stride 2", 4, { 2, 0, 0, 0 } },
    { "  stride 8", 4, { 8, 0, 0, 0 } },
    { "column of a tile 16 wide", 4, { 16, 0, 0, 0 } },
    { "  17 wide, one word unused", 4, { 17, 0, 0, 0 } },
    { "column of a tile 32 wide", 4, { 32, 0, 0, 0 } },
    { "  33 wide, one word unused", 4, { 33, 0, 0, 0 } },
    { "RGBA of words, interleaved", 4, { 4, 0, 0, 0 } },
    { "  a plane each", 4, { 1, 0, 0, 0 } },
    { "RGBA of bytes, interleaved", 1, { 4, 0, 0, 0 } },
    { "  a plane each", 1, { 1, 0, 0, 0 } },
};
enum {
    GLOBAL = sizeof global_memory / sizeof *global_memory,
    SHARED = sizeof shared_memory / sizeof *shared_memory
};

// --- the kernels

__device__ inline unsigned add_up(unsigned char v) { return v; }
__device__ inline unsigned add_up(unsigned short v) { return v; }
__device__ inline unsigned add_up(unsigned v) { return v; }
__device__ inline unsigned add_up(uint2 v) { return v.x + v.y; }
__device__ inline unsigned add_up(uint4 v) { return v.x + v.y + v.z + v.w; }

// Adds what the thread has read to a sum, because the compiler removes loads without a use.
__device__ inline void keep(unsigned read, unsigned *sums)
{
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        read += __shfl_down_sync(0xffffffff, read, distance);
    if (threadIdx.x % WARP == 0)
        atomicAdd(&sums[(blockIdx.x * BLOCK + threadIdx.x) / WARP % SUMS], read);
}

template <class Word> __global__ void read_global(const Word *in, struct pattern p, unsigned *sums)
{
    unsigned first = blockIdx.x * BLOCK * LOADS + threadIdx.x, read = 0;

    if (takes_part(p, threadIdx.x))
#pragma unroll
        for (int i = 0; i < LOADS; i++)
            read += add_up(in[place(p, first + i * BLOCK)]);
    keep(read, sums);
}

// The value of byte i of global memory, and of the tile.
__host__ __device__ inline unsigned byte(size_t i)
{
    unsigned h = (unsigned)(i / 4) * 0x9e3779b9u;

    return (h ^ h >> 15) >> i % 4 * 8 & 0xff;
}

// Load i of a round is i words further on for all lanes: this rotates the banks, and keeps the
// pattern. `none` is 0, which the compiler does not know, so that it cannot reuse what it has read
// in the previous round.
template <class Word>
__global__ void read_shared(struct pattern p, int rounds, unsigned none, unsigned *sums)
{
    __shared__ uint4 tile[TILE / 16];
    unsigned read = 0;

    for (unsigned i = threadIdx.x; i < TILE; i += BLOCK)
        ((unsigned char *)tile)[i] = byte(i);
    __syncthreads();
    for (int round = 0; round < rounds; round++) {
        const Word *from = (const Word *)tile + place(p, threadIdx.x % WARP) + (read & none);
#pragma unroll
        for (int i = 0; i < LOADS; i++)
            read += add_up(from[i * 4 / sizeof(Word)]);
    }
    keep(read, sums);
}

__global__ void fill(unsigned char *bytes)
{
    size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;

    bytes[i] = byte(i);
}

// --- running them

static struct device device;
static size_t n_bytes, flush_bytes;     // to read; to evict those from L2
static unsigned char *bytes, *others;   // on the device
static unsigned *sums;

static unsigned blocks_for(const struct example *e, size_t n)
{
    return (unsigned)(n / ((size_t)e->pattern.stride * e->size * BLOCK * LOADS));
}

static void launch_global(const struct example *e, const unsigned char *in, unsigned blocks)
{
    switch (e->size) {
    case 1: read_global<<<blocks, BLOCK, 0, cudaStreamPerThread>>>(in, e->pattern, sums); break;
    case 2:
        read_global<<<blocks, BLOCK, 0, cudaStreamPerThread>>>((const unsigned short *)in,
                                                               e->pattern, sums);
        break;
    case 4:
        read_global<<<blocks, BLOCK, 0, cudaStreamPerThread>>>((const unsigned *)in, e->pattern,
                                                               sums);
        break;
    case 8:
        read_global<<<blocks, BLOCK, 0, cudaStreamPerThread>>>((const uint2 *)in, e->pattern, sums);
        break;
    default:
        read_global<<<blocks, BLOCK, 0, cudaStreamPerThread>>>((const uint4 *)in, e->pattern, sums);
        break;
    }
    cuda_must(cudaGetLastError(), "launching");
}

static void launch_shared(const struct example *e, unsigned blocks, int rounds)
{
    void (*kernel)(struct pattern, int, unsigned, unsigned *) =
        e->size == 1 ? read_shared<unsigned char> : read_shared<unsigned>;

    kernel<<<blocks, BLOCK, 0, cudaStreamPerThread>>>(e->pattern, rounds, 0, sums);
    cuda_must(cudaGetLastError(), "launching");
}

// The word of `size` bytes that starts at byte i, or the sum of its 4-byte words.
static unsigned word(size_t i, int size)
{
    unsigned sum = 0;

    for (int b = 0; b < size; b++)
        sum += byte(i + b) << b % 4 * 8;
    return sum;
}

static unsigned want_global(const struct example *e)
{
    unsigned sum = 0;

    for (unsigned t = 0; t < CHECKED_BLOCKS * BLOCK * LOADS; t++)
        if (takes_part(e->pattern, t % BLOCK))
            sum += word(place(e->pattern, t) * e->size, e->size);
    return sum;
}

static unsigned want_shared(const struct example *e)
{
    unsigned sum = 0;

    for (unsigned t = 0; t < CHECKED_BLOCKS * BLOCK; t++)
        for (int i = 0; i < LOADS; i++)
            sum += word(place(e->pattern, t % WARP) * e->size + i * 4, e->size);
    return sum;
}

// Checks the sum of what a small launch reads. Only correct kernels are counted or timed.
template <class Launch> static void check(const struct example *e, unsigned want, Launch launch)
{
    static unsigned got[SUMS];
    unsigned sum = 0;

    cuda_must(cudaMemset(sums, 0, sizeof got), "clearing the sums");
    launch();
    cuda_must(cudaMemcpyAsync(got, sums, sizeof got, cudaMemcpyDeviceToHost, cudaStreamPerThread),
              "copying the sums");
    cuda_must(cudaStreamSynchronize(cudaStreamPerThread), "reading");
    for (int i = 0; i < SUMS; i++)
        sum += got[i];
    if (sum != want)
        die(STATUS_WRONG, "%s: the sum of what was read is %u, not %u", e->name, sum, want);
}

static void allocate(void)
{
    size_t free_bytes, all_bytes;

    cuda_must(cudaMemGetInfo(&free_bytes, &all_bytes), "asking for free memory");
    // A whole number of blocks of every pattern: the widest has a stride of 32 words of 4 bytes.
    n_bytes = !on_cpu_device ? (size_t)1 << 31 : (size_t)CHECKED_BLOCKS * BLOCK * LOADS * 32 * 4;
    while (!on_cpu_device && n_bytes > free_bytes / 2)
        n_bytes /= 2;
    flush_bytes = !on_cpu_device ? (size_t)(4 * device.l2_bytes / 4096) * 4096 : 0;
    bytes = demo_allocate<unsigned char>(n_bytes + SLACK);
    others = demo_allocate<unsigned char>(flush_bytes + SLACK);
    sums = demo_allocate<unsigned>(SUMS);
    fill<<<(unsigned)((n_bytes + SLACK) / BLOCK), BLOCK, 0, cudaStreamPerThread>>>(bytes);
    cuda_must(cudaMemsetAsync(others, 0, flush_bytes + SLACK, cudaStreamPerThread), "clearing");
    cuda_must(cudaMemsetAsync(sums, 0, SUMS * sizeof *sums, cudaStreamPerThread), "clearing");
    cuda_must(cudaStreamSynchronize(cudaStreamPerThread), "filling");
}

#ifdef EMU_CPU_DEVICE
// --- counts: transactions, sectors or wavefronts per request, by each rule

// GPUs of 2007, 2008, 2010, and current ones
static const char *const generations[] = { "1.1", "1.3", "2.0", "9.0" };
enum {
    GENERATIONS = sizeof generations / sizeof *generations,
    COLUMN = 16,   // characters per column
    CELL = 32,     // bytes per cell: enough for two numbers of %.4g
};

static int n_rules;
static const char *rules[GENERATIONS];

template <class Cell> static void print_row(const char *name, Cell cell)
{
    printf("%-29s", name);
    for (int r = 0; r < n_rules; r++) {
        char text[CELL];

        cell(rules[r], text);
        printf("%*s", COLUMN, text);
    }
    printf("\n");
}

static void print_head(const char *what, const char *unit(void))
{
    print_row(what, [](const char *rule, char *text) { snprintf(text, CELL, "%s", rule); });
    print_row("", [unit](const char *rule, char *text) {
        emu_rules(rule);
        snprintf(text, CELL, "%s", unit());
    });
}

static void count(const char *rule, struct emu_counts *counts,
                  void (*launch)(const struct example *), const struct example *e)
{
    emu_rules(rule);
    emu_reset();
    launch(e);
    cuda_must(cudaStreamSynchronize(cudaStreamPerThread), "reading");
    emu_totals(counts);
}

static void global_cell(const struct example *e, const char *rule, char *text)
{
    struct emu_counts c;

    count(
        rule, &c, [](const struct example *x) { launch_global(x, bytes, 1); }, e);
    snprintf(text, CELL, "%.4g, %.4g B", (double)c.ld_sectors / c.ld_requests,
             (double)c.ld_bytes / c.ld_requests);
}

// Counts the loads from the tile only; the stores that fill it are on other lines.
static void shared_cell(const struct example *e, const char *rule, char *text)
{
    struct emu_counts c;
    const struct emu_line *line;
    double requests = 0, steps = 0;

    count(
        rule, &c, [](const struct example *x) { launch_shared(x, 1, 1); }, e);
    for (int i = emu_lines(&line) - 1; i >= 0; i--)
        if (line[i].kind == EMU_SHARED_LD) {
            requests += line[i].requests;
            steps += line[i].units;
        }
    snprintf(text, CELL, "%.4g", steps / requests);
}

static void print_tables(void)
{
    printf("One request of a warp, by the rules of compute capability\n\n");
    print_head("global memory", emu_unit);
    for (const struct example *e = global_memory; e < global_memory + GLOBAL; e++)
        print_row(e->name, [e](const char *rule, char *text) { global_cell(e, rule, text); });
    printf("\n");
    print_head("shared memory",
               [] { return strcmp(emu_unit(), "sectors") == 0 ? "wavefronts" : "steps"; });
    for (const struct example *e = shared_memory; e < shared_memory + SHARED; e++)
        print_row(e->name, [e](const char *rule, char *text) { shared_cell(e, rule, text); });
    printf("\nBytes are those that are moved, for %d words or fewer. Until 1.3 half a warp is "
           "served at a time: two transactions or steps are "
           "the least.\n",
           WARP);
}

static void choose_rules(const char *given)
{
    const char *known = given && strcmp(given, "all") != 0 ? emu_rules(given) : NULL;

    if (known)
        die(STATUS_USAGE,
            "--rules '%s': the rules of this compute capability are not known; expected all, or "
            "one of %s",
            given, known);
    if (given && strcmp(given, "all") != 0)
        rules[n_rules++] = given;
    else
        for (; n_rules < GENERATIONS; n_rules++)
            rules[n_rules] = generations[n_rules];
}
#else
// --- times: the rate of useful bytes, and the slowdown by bank conflicts

static void choose_rules(const char *given)
{
    if (given)
        die(STATUS_USAGE, "--rules: only the CPU device can count by other rules "
                          "(make DEVICE=cpu demo_coalescing)");
}

static void print_tables(void)
{
    static const struct example all = { "", 16, { 1, 0, 0, 0 } };
    double first = 0;

    printf("%s: its own rules, by time. Medians of %d launches; before each, others are read, four "
           "times L2. What a request takes is\n"
           "counted by the CPU device (make DEVICE=cpu demo_coalescing), or on a GPU by "
           "ncu.\n\n%-29s%16s%14s\n",
           device.name, DEMO_SAMPLES, "global memory", "used, GB/s", "us");
    for (const struct example *e = global_memory; e < global_memory + GLOBAL; e++) {
        unsigned blocks = blocks_for(e, n_bytes);
        double words =
            (double)blocks * LOADS *
            (e->pattern.out ? BLOCK - (BLOCK + e->pattern.out - 1) / e->pattern.out : BLOCK);
        struct stats t =
            demo_time_of([] { launch_global(&all, others, blocks_for(&all, flush_bytes)); },
                         [e, blocks] { launch_global(e, bytes, blocks); });

        printf("%-29s%16.0f%14.1f\n", e->name, 1e-3 * words * e->size / t.median, t.median);
    }
    printf("\n%-29s%16s%14s\n", "shared memory", "of stride 1", "us");
    for (const struct example *e = shared_memory; e < shared_memory + SHARED; e++) {
        struct stats t = demo_time_of([] {}, [e] { launch_shared(e, device.sms * 8, ROUNDS); });

        first = first ? first : t.median;
        printf("%-29s%15.2fx%14.1f\n", e->name, t.median / first, t.median);
    }
}
#endif

static const char help[] =
    "demo_coalescing: the slides' examples of access, counted by the rules of each generation, or "
    "timed\n\n"
    "usage: ./demo_coalescing [options]\n"
    "      --rules CC   count by the rules of compute capability CC, such as 1.1, or of all that "
    "differ most; CPU device only\n"
    "  -h, --help       this text\n\n"
    "Exit status: 0 right; 1 wrong; 2 bad usage; 3 CUDA error or out of memory.\n";

int main(int argc, char **argv)
{
    const char *given = NULL;
    const struct demo_option options[] = { { "--rules", &given, NULL } };

    demo_options(argc, argv, help, options, 1);
    choose_rules(given);
    device_open(0, &device);
    allocate();
    for (const struct example *e = global_memory; e < global_memory + GLOBAL; e++)
        check(e, want_global(e), [e] { launch_global(e, bytes, CHECKED_BLOCKS); });
    for (const struct example *e = shared_memory; e < shared_memory + SHARED; e++)
        check(e, want_shared(e), [e] { launch_shared(e, CHECKED_BLOCKS, 1); });
    print_tables();
    return finish(STATUS_OK);
}
