// demo_coalescing: the slides' access patterns, counted by the rules of each GPU generation
//
// Global memory, from one generation to the next:
//   2007 (1.1)   thread k of a half-warp must read word k of an aligned segment, or not take part
//   2008 (1.3)   a half-warp's loads combine into segments of 32, 64 or 128 bytes, in any order
//   2010 (2.0)   a warp's loads combine into cache lines of 128 bytes
//   today        a warp's loads combine into sectors of 32 bytes
// Shared memory: 16 banks for a half-warp then, 32 banks for a warp today. Each pattern is a kernel
// with requests of one kind. The CPU device counts them by each rule; a GPU measures time.
// make DEVICE=cpu demo_coalescing && ./demo_coalescing     counts
// make demo_coalescing && ./demo_coalescing                times, on a GPU
#include "../common/harness/demo.h"
#ifdef EMU_CPU_DEVICE
#include "../common/emu/emu.h"
#endif

enum {
    WARP = 32,
    BLOCK = 256,
    LOADS = 8,          // per thread, in flight together
    SLACK = 1024,       // bytes after the array, for shifted patterns
    TILE = 8192,        // bytes of shared memory
    ROUNDS = 1 << 12,   // per timed launch that reads shared memory
    CHECKED_BLOCKS = 4,
};

// Thread t reads the word at index (t * stride ^ flip) + shift. Threads whose number is a multiple
// of `out` load nothing; 0: all threads load.
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

enum memory { GLOBAL, SHARED };
static const char *const memory_name[] = { "global memory", "shared memory" };
static const struct example {
    enum memory memory;
    const char *name;
    int size;   // bytes of a word: 1, 2, 4, 8 or 16
    struct pattern pattern;
} examples[] = {
    { GLOBAL, "4 bytes, in order", 4, { 1, 0, 0, 0 } },
    { GLOBAL, "  some threads inactive", 4, { 1, 0, 0, 5 } },
    { GLOBAL, "  permuted", 4, { 1, 1, 0, 0 } },
    { GLOBAL, "  misaligned, by one word", 4, { 1, 0, 1, 0 } },
    { GLOBAL, "  misaligned, by 20 words", 4, { 1, 0, 20, 0 } },
    { GLOBAL, "  every second word", 4, { 2, 0, 0, 0 } },
    { GLOBAL, "  every 32nd word", 4, { 32, 0, 0, 0 } },
    { GLOBAL, "1 byte, in order", 1, { 1, 0, 0, 0 } },
    { GLOBAL, "2 bytes, in order", 2, { 1, 0, 0, 0 } },
    { GLOBAL, "8 bytes, in order", 8, { 1, 0, 0, 0 } },
    { GLOBAL, "16 bytes, in order", 16, { 1, 0, 0, 0 } },
    { SHARED, "words, stride 1", 4, { 1, 0, 0, 0 } },
    { SHARED, "  permuted", 4, { 1, 13, 0, 0 } },
    { SHARED, "  stride 2", 4, { 2, 0, 0, 0 } },
    { SHARED, "  stride 8", 4, { 8, 0, 0, 0 } },
    { SHARED, "column of a tile 16 wide", 4, { 16, 0, 0, 0 } },
    { SHARED, "  17 wide, one word unused", 4, { 17, 0, 0, 0 } },
    { SHARED, "column of a tile 32 wide", 4, { 32, 0, 0, 0 } },
    { SHARED, "  33 wide, one word unused", 4, { 33, 0, 0, 0 } },
    { SHARED, "RGBA of words, interleaved", 4, { 4, 0, 0, 0 } },
    { SHARED, "  a plane each", 4, { 1, 0, 0, 0 } },
    { SHARED, "RGBA of bytes, interleaved", 1, { 4, 0, 0, 0 } },
    { SHARED, "  a plane each", 1, { 1, 0, 0, 0 } },
};

static bool is_first(const struct example *e) { return e == examples || e->memory != e[-1].memory; }

// --- the kernels

__device__ inline unsigned add_up(unsigned char v) { return v; }
__device__ inline unsigned add_up(unsigned short v) { return v; }
__device__ inline unsigned add_up(unsigned v) { return v; }
__device__ inline unsigned add_up(uint2 v) { return v.x + v.y; }
__device__ inline unsigned add_up(uint4 v) { return v.x + v.y + v.z + v.w; }

template <class Word> __global__ void read_global(const Word *in, struct pattern p, unsigned *sums)
{
    unsigned first = blockIdx.x * BLOCK * LOADS + threadIdx.x, read = 0;

    if (takes_part(p, threadIdx.x))
#pragma unroll
        for (int i = 0; i < LOADS; i++)
            read += add_up(in[place(p, first + i * BLOCK)]);
    demo_keep(read, sums);
}

// The value of byte i of global memory, and of the tile.
__host__ __device__ inline unsigned byte(size_t i)
{
    unsigned h = (unsigned)(i / 4) * 0x9e3779b9u;

    return (h ^ h >> 15) >> i % 4 * 8 & 0xff;
}

// Load i of a round is i words further for all lanes, which rotates the banks and keeps the
// pattern. `none` is 0. The compiler does not know that, so it cannot reuse the values of the
// previous round.
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
    demo_keep(read, sums);
}

__global__ void fill(unsigned char *bytes)
{
    size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;

    bytes[i] = byte(i);
}

// --- launches and checks

static struct device device;
static size_t n_bytes, flush_bytes;     // to read; to evict them from L2
static unsigned char *bytes, *others;   // on the device
static unsigned *sums;

static unsigned blocks_for(const struct example *e, size_t n)
{
    return (unsigned)(n / ((size_t)e->pattern.stride * e->size * BLOCK * LOADS));
}

// `rounds`: only for patterns in shared memory.
template <class Word>
static void launch_words(const struct example *e, const void *in, unsigned blocks, int rounds)
{
    if (e->memory == GLOBAL)
        read_global<<<blocks, BLOCK>>>((const Word *)in, e->pattern, sums);
    else
        read_shared<Word><<<blocks, BLOCK>>>(e->pattern, rounds, 0, sums);
    cuda_must(cudaGetLastError(), "launching");
}

static void launch(const struct example *e, const void *in, unsigned blocks, int rounds)
{
    switch (e->size) {
    case 1: return launch_words<unsigned char>(e, in, blocks, rounds);
    case 2: return launch_words<unsigned short>(e, in, blocks, rounds);
    case 4: return launch_words<unsigned>(e, in, blocks, rounds);
    case 8: return launch_words<uint2>(e, in, blocks, rounds);
    default: return launch_words<uint4>(e, in, blocks, rounds);
    }
}

// Checks the sum of the words that a small launch reads. A word of more than 4 bytes counts as the
// sum of its 4-byte parts.
static void check(const struct example *e)
{
    unsigned want = 0;

    for (unsigned t = 0; t < CHECKED_BLOCKS * BLOCK * LOADS; t++) {
        size_t shared = place(e->pattern, t / LOADS % WARP) * e->size + t % LOADS * 4,
               first = e->memory == SHARED ? shared : place(e->pattern, t) * e->size;

        for (int b = 0; takes_part(e->pattern, t % BLOCK) && b < e->size; b++)
            want += byte(first + b) << b % 4 * 8;
    }
    demo_check_sum(e->name, want, sums, [e] { launch(e, bytes, CHECKED_BLOCKS, 1); });
}

static void allocate(void)
{
    // Room for whole blocks of every pattern: the largest stride is 32 words of 4 bytes.
    n_bytes = !on_cpu_device ? demo_large(1) : (size_t)CHECKED_BLOCKS * BLOCK * LOADS * 32 * 4;
    flush_bytes = !on_cpu_device ? (size_t)(4 * device.l2_bytes / 4096) * 4096 : 0;
    bytes = demo_allocate<unsigned char>(n_bytes + SLACK);
    others = demo_allocate<unsigned char>(flush_bytes + SLACK);
    sums = demo_allocate<unsigned>(DEMO_SUMS);
    fill<<<(unsigned)((n_bytes + SLACK) / BLOCK), BLOCK>>>(bytes);
    cuda_must(cudaGetLastError(), "filling");
}

#ifdef EMU_CPU_DEVICE
// --- counts: transactions, sectors or wavefronts per request, by the rules of each generation

// GPUs of 2007, 2008, 2010 and today
static const char *const rules[] = { "1.1", "1.3", "2.0", "9.0" };

static void print_head(enum memory memory)
{
    static const char *const shared_unit[] = { "steps", "wavefronts" };

    printf("\n%-29s", memory_name[memory]);
    for (const char *rule : rules)
        printf("%16s", rule);
    printf("\n%29s", "");
    for (const char *rule : rules) {
        emu_rules(rule);
        printf("%16s",
               memory == GLOBAL ? emu_unit() : shared_unit[strcmp(emu_unit(), "sectors") == 0]);
    }
    printf("\n");
}

// Counts only the line of the pattern, not the stores that fill the tile.
static const char *count(const struct example *e, const char *rule)
{
    const struct emu_line *line;
    double requests = 0, units = 0, moved = 0;

    emu_rules(rule);
    emu_reset();
    launch(e, bytes, 1, 1);
    for (int i = emu_lines(&line) - 1; i >= 0; i--)
        if (line[i].kind == (e->memory == GLOBAL ? EMU_LD : EMU_SHARED_LD)) {
            requests += line[i].requests;
            units += line[i].units;
            moved += line[i].bytes;
        }
    return e->memory == SHARED ? text_of("%.4g", units / requests)
                               : text_of("%.4g, %.4g B", units / requests, moved / requests);
}

static void print_examples(void)
{
    printf("One request of a warp, by the rules of compute capability\n");
    for (const struct example &e : examples) {
        if (is_first(&e))
            print_head(e.memory);
        printf("%-29s", e.name);
        for (const char *rule : rules)
            printf("%16s", count(&e, rule));
        printf("\n");
    }
    printf("\nB: bytes moved by a request of up to %d words. Up to 1.3 a half-warp is served at a "
           "time, so that the minimum is two transactions or steps.\n",
           WARP);
}
#else
// --- times: the rate of useful bytes, and the slowdown by bank conflicts

static void print_examples(void)
{
    static const struct example all = { GLOBAL, "", 16, { 1, 0, 0, 0 } };
    double first = 0;

    printf("%s: its own rules, by time. Medians of %d launches; before each, others are read, four "
           "times L2. What a request takes is\n"
           "counted by the CPU device (make DEVICE=cpu demo_coalescing), or on a GPU by ncu.\n",
           device.name, DEMO_SAMPLES);
    for (const struct example &e : examples) {
        unsigned blocks = e.memory == GLOBAL ? blocks_for(&e, n_bytes) : device.sms * 8, lanes = 0;
        struct stats t =
            demo_time_of([] { launch(&all, others, blocks_for(&all, flush_bytes), 1); },
                         [&e, blocks] { launch(&e, bytes, blocks, ROUNDS); });

        for (unsigned thread = 0; thread < BLOCK; thread++)
            lanes += takes_part(e.pattern, thread);
        if (is_first(&e)) {
            printf("\n%-29s%16s%14s\n", memory_name[e.memory],
                   e.memory == GLOBAL ? "used, GB/s" : "of stride 1", "us");
            first = t.median;
        }
        if (e.memory == GLOBAL)
            printf("%-29s%16.0f", e.name, 1e-3 * blocks * LOADS * lanes * e.size / t.median);
        else
            printf("%-29s%15.2fx", e.name, t.median / first);
        printf("%14.1f\n", t.median);
    }
}
#endif

int main(int argc, char **argv)
{
    take_arguments(argc, argv,
                   "the slides' access patterns, counted by the rules of GPU generations, or timed",
                   NULL, 0);
    device_open(0, &device);
    allocate();
    for (const struct example &e : examples)
        check(&e);
    print_examples();
    return finish(STATUS_OK);
}
