// demo_banks: the slides' access patterns in shared memory, by the rules of each generation
//
// 16 banks for a half-warp in 2007 and 2008, 32 banks for a warp today. Bank k has the words k, k +
// 32, k + 64, ... Lanes that need different words of one bank are served one after the other.
// The CPU device counts requests by each rule; a GPU measures time.
// make DEVICE=cpu demo_banks && ./demo_banks
#include "../common/harness/demo.h"
#ifdef EMU_CPU_DEVICE
#include "../common/emu/emu.h"
#endif

// TILE: bytes of shared memory; ROUNDS: of LOADS loads, per timed launch
enum { BLOCK = 256, LOADS = 8, TILE = 8192, ROUNDS = 1 << 12 };

// Lane t reads the word at index t * stride ^ flip.
static const struct example {
    const char *name;
    unsigned size;   // bytes of a word: 1 or 4
    unsigned stride, flip;
} examples[] = {
    { "words, stride 1", 4, 1, 0 },
    { "  permuted", 4, 1, 13 },
    { "  stride 2", 4, 2, 0 },
    { "  stride 8", 4, 8, 0 },
    { "column of a tile 16 wide", 4, 16, 0 },
    { "  17 wide, one word unused", 4, 17, 0 },
    { "column of a tile 32 wide", 4, 32, 0 },
    { "  33 wide, one word unused", 4, 33, 0 },
    { "RGBA of words, interleaved", 4, 4, 0 },
    { "  a plane each", 4, 1, 0 },
    { "RGBA of bytes, interleaved", 1, 4, 0 },
    { "  a plane each", 1, 1, 0 },
};

// Load i of a round is i words further for all lanes, which rotates the banks and keeps the
// pattern. `none` is 0. The compiler does not know that, so it cannot reuse the values of the
// previous round.
template <class Word>
__global__ void read(struct example e, int rounds, unsigned none, unsigned *sums)
{
    __shared__ unsigned tile[TILE / 4];
    unsigned sum = 0;

    for (unsigned i = threadIdx.x; i < TILE / 4; i += BLOCK)
        tile[i] = 0x1010101;
    __syncthreads();
    for (int round = 0; round < rounds; round++) {
        const Word *from = (const Word *)tile + (threadIdx.x % 32 * e.stride ^ e.flip);
        from += sum & none;
#pragma unroll
        for (int i = 0; i < LOADS; i++)
            sum += from[i * 4 / sizeof(Word)];
    }
    demo_keep(sum, sums);
}

static unsigned *sums;   // on the device

static void launch(const struct example &e, unsigned blocks, int rounds)
{
    if (e.size == 1)
        read<unsigned char><<<blocks, BLOCK>>>(e, rounds, 0, sums);
    else
        read<unsigned><<<blocks, BLOCK>>>(e, rounds, 0, sums);
}

#ifdef EMU_CPU_DEVICE
static void print(const struct example &e)
{
    const struct emu_line *line;

    printf("%-29s", e.name);
    for (const char *rule : { "1.1", "1.3", "2.0", "9.0" }) {
        double requests = 0, units = 0;
        emu_rules(rule);
        emu_reset();
        launch(e, 1, 1);
        for (int i = emu_lines(&line) - 1; i >= 0; i--)
            if (line[i].kind == EMU_SHARED_LD) {
                requests += line[i].requests;
                units += line[i].units;
            }
        printf("%16.4g", units / requests);
    }
    printf("\n");
}
#else
static double print(const struct example &e, unsigned blocks, double first)
{
    struct stats t = demo_time_of([&] { launch(e, blocks, ROUNDS); });

    printf("%-29s%15.2fx%14.1f\n", e.name, t.median / (first ? first : t.median), t.median);
    return t.median;
}
#endif

int main(int argc, char **argv)
{
    struct device device;

    take_arguments(argc, argv, "the slides' access patterns in shared memory, counted or timed",
                   NULL, 0);
    device_open(0, &device);
    sums = demo_allocate<unsigned>(DEMO_SUMS);
    for (const struct example &e : examples)   // every byte of the tile is 1
        demo_check_sum(e.name, BLOCK * LOADS * (e.size == 1 ? 1 : 0x1010101), sums,
                       [&] { launch(e, 1, 1); });
#ifdef EMU_CPU_DEVICE
    printf("One request of a warp, by the rules of compute capability\n\n%-29s%16s%16s%16s%16s\n"
           "%29s%16s%16s%16s%16s\n",
           "shared memory", "1.1", "1.3", "2.0", "9.0", "", "steps", "steps", "steps",
           "wavefronts");
    for (const struct example &e : examples)
        print(e);
    printf("\nUp to 1.3 a half-warp is served at a time, so that the minimum is two steps.\n");
#else
    printf("%s: its own rules, by time. Medians of %d launches.\n\n%-29s%16s%14s\n", device.name,
           DEMO_SAMPLES, "shared memory", "of stride 1", "us");
    double first = 0;
    for (const struct example &e : examples) {
        double time = print(e, device.sms * 8, first);
        first = first ? first : time;
    }
#endif
    return finish(STATUS_OK);
}
