// demo_coalescing: the slides' access patterns in global memory, by the rules of each generation
//
//   2007 (1.1)   thread k of a half-warp must read word k of an aligned segment, or not take part
//   2008 (1.3)   a half-warp's loads combine into segments of 32, 64 or 128 bytes, in any order
//   2010 (2.0)   a warp's loads combine into cache lines of 128 bytes
//   today        a warp's loads combine into sectors of 32 bytes
// The CPU device counts requests by each rule; a GPU measures time. demo_banks: shared memory.
// make DEVICE=cpu demo_coalescing && ./demo_coalescing
#include "../common/harness/demo.h"
#ifdef EMU_CPU_DEVICE
#include "../common/emu/emu.h"
#endif

// CHECKED: blocks of the launch that is checked; SLACK: bytes after the array, for shifts
enum { BLOCK = 256, LOADS = 8, CHECKED = 4, SLACK = 1024 };

// Thread t reads the word at index (t * stride ^ flip) + shift. Threads whose number is a multiple
// of `out` load nothing; 0: all threads load.
static const struct example {
    const char *name;
    unsigned size;   // bytes of a word: 1, 2, 4, 8 or 16
    unsigned stride, flip, shift, out;
} examples[] = {
    { "4 bytes, in order", 4, 1, 0, 0, 0 },
    { "  some threads inactive", 4, 1, 0, 0, 5 },
    { "  permuted", 4, 1, 1, 0, 0 },
    { "  misaligned, by one word", 4, 1, 0, 1, 0 },
    { "  misaligned, by 20 words", 4, 1, 0, 20, 0 },
    { "  every second word", 4, 2, 0, 0, 0 },
    { "  every 32nd word", 4, 32, 0, 0, 0 },
    { "1 byte, in order", 1, 1, 0, 0, 0 },
    { "2 bytes, in order", 2, 1, 0, 0, 0 },
    { "8 bytes, in order", 8, 1, 0, 0, 0 },
    { "16 bytes, in order", 16, 1, 0, 0, 0 },
};

__host__ __device__ inline bool takes_part(struct example e, unsigned thread)
{
    return !e.out || thread % e.out;
}

__device__ inline unsigned add_up(unsigned v) { return v; }
__device__ inline unsigned add_up(uint2 v) { return v.x + v.y; }
__device__ inline unsigned add_up(uint4 v) { return v.x + v.y + v.z + v.w; }

template <class Word> __global__ void read(const Word *in, struct example e, unsigned *sums)
{
    unsigned first = blockIdx.x * BLOCK * LOADS + threadIdx.x, sum = 0;

    if (takes_part(e, threadIdx.x))
#pragma unroll
        for (int i = 0; i < LOADS; i++)   // in flight together
            sum += add_up(in[((size_t)(first + i * BLOCK) * e.stride ^ e.flip) + e.shift]);
    demo_keep(sum, sums);
}

static unsigned *sums;   // on the device
static void launch(const struct example &e, const void *in, unsigned blocks)
{
    switch (e.size) {
    case 1: read<<<blocks, BLOCK>>>((const unsigned char *)in, e, sums); break;
    case 2: read<<<blocks, BLOCK>>>((const unsigned short *)in, e, sums); break;
    case 4: read<<<blocks, BLOCK>>>((const unsigned *)in, e, sums); break;
    case 8: read<<<blocks, BLOCK>>>((const uint2 *)in, e, sums); break;
    default: read<<<blocks, BLOCK>>>((const uint4 *)in, e, sums);
    }
}

// Checks how much a small launch reads: every byte of the array is 1.
static void check(const struct example &e, const unsigned char *bytes)
{
    unsigned word = e.size == 1 ? 1 : e.size == 2 ? 0x101 : 0x1010101 * (e.size / 4), want = 0;

    for (unsigned thread = 0; thread < BLOCK; thread++)
        want += takes_part(e, thread) * CHECKED * LOADS * word;
    demo_check_sum(e.name, want, sums, [&] { launch(e, bytes, CHECKED); });
}

#ifdef EMU_CPU_DEVICE
static void print(const struct example &e, const unsigned char *bytes)
{
    const struct emu_line *line;

    printf("%-29s", e.name);
    for (const char *rule : { "1.1", "1.3", "2.0", "9.0" }) {
        double requests = 0, units = 0, moved = 0;
        emu_rules(rule);
        emu_reset();
        launch(e, bytes, 1);
        for (int i = emu_lines(&line) - 1; i >= 0; i--)
            if (line[i].kind == EMU_LD) {
                requests += line[i].requests;
                units += line[i].units;
                moved += line[i].bytes;
            }
        printf("%16s", text_of("%.4g, %.4g B", units / requests, moved / requests));
    }
    printf("\n");
}
#else
// The rate of useful bytes. Before each launch, another array is read, which empties L2.
static void print(const struct example &e, const unsigned char *bytes, size_t n,
                  const unsigned char *others, size_t others_n)
{
    unsigned blocks = n / (e.stride * e.size * BLOCK * LOADS), lanes = 0;
    struct stats t =
        demo_time_of([&] { launch(examples[10], others, others_n / (16 * BLOCK * LOADS)); },
                     [&] { launch(e, bytes, blocks); });

    for (unsigned thread = 0; thread < BLOCK; thread++)
        lanes += takes_part(e, thread);
    printf("%-29s%16.0f%14.1f\n", e.name, 1e-3 * blocks * LOADS * lanes * e.size / t.median,
           t.median);
}
#endif

int main(int argc, char **argv)
{
    struct device device;

    take_arguments(argc, argv, "the slides' access patterns in global memory, counted or timed",
                   NULL, 0);
    device_open(0, &device);
    // room for whole blocks of every pattern: the largest stride is 32 words of 4 bytes
    size_t n = on_cpu_device ? (size_t)CHECKED * BLOCK * LOADS * 32 * 4 : demo_large(1);
    unsigned char *bytes = demo_allocate<unsigned char>(n + SLACK);
    sums = demo_allocate<unsigned>(DEMO_SUMS);
    cuda_must(cudaMemset(bytes, 1, n + SLACK), "filling");
    for (const struct example &e : examples)
        check(e, bytes);
#ifdef EMU_CPU_DEVICE
    printf("One request of a warp, by the rules of compute capability\n\n%-29s%16s%16s%16s%16s\n"
           "%29s%16s%16s%16s%16s\n",
           "global memory", "1.1", "1.3", "2.0", "9.0", "", "transactions", "transactions",
           "transactions", "sectors");
    for (const struct example &e : examples)
        print(e, bytes);
    printf("\nB: bytes moved by a request of up to 32 words. Up to 1.3 a half-warp is served at a "
           "time, so that the minimum is two transactions.\n");
#else
    size_t others_n = (size_t)(4 * device.l2_bytes / 4096) * 4096;
    unsigned char *others = demo_allocate<unsigned char>(others_n);
    printf("%s: its own rules, by time. Medians of %d launches; before each, others are read, four "
           "times L2.\n\n%-29s%16s%14s\n",
           device.name, DEMO_SAMPLES, "global memory", "used, GB/s", "us");
    for (const struct example &e : examples)
        print(e, bytes, n, others, others_n);
#endif
    return finish(STATUS_OK);
}
