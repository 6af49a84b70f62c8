// Atomic additions in L2, by how many words and lines the lanes of a warp and all SMs use. `red`
// returns nothing, `atom` returns the old value.
#include "machine.h"

enum { STEPS = 16, ROUNDS = 16, BLOCK = 1024 };

__device__ inline void add(unsigned *at)
{
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(at), "r"(1) : "memory");
}
__device__ inline void add(float *at)
{
    asm volatile("red.global.add.f32 [%0], %1;" ::"l"(at), "f"(1.0f) : "memory");
}

// Lane l of each warp adds to the word at l * apart words; each warp to those `per_warp` words
// further.
// SASS: 4redsIjE RED 16
// SASS: 4redsIfE RED 16
template <class T>
static __global__ void reds(int rounds, T *words, int apart, int per_warp, cycle *cycles)
{
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    T *at = words + (size_t)warp * per_warp + threadIdx.x % 32 * apart;

    timed(rounds, cycles, [=] {
#pragma unroll
        for (int i = 0; i < STEPS; i++)
            add(at);
    });
}

// The result is part of the next address: it is always 0.
// SASS: 5atoms ATOMG 16
static __global__ void atoms(int rounds, unsigned *words, int apart, int per_warp, cycle *cycles)
{
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    unsigned *at = words + (size_t)warp * per_warp + threadIdx.x % 32 * apart, old;

    timed(rounds, cycles, [&] {
#pragma unroll
        for (int i = 0; i < STEPS; i++) {
            asm volatile("atom.global.and.b32 %0, [%1], 0;" : "=r"(old) : "l"(at) : "memory");
            at += old;
        }
    });
    *at = 0;
}

void measure_atomics(void)
{
    unsigned *words = demo_allocate<unsigned>((size_t)gpu.sms * BLOCK * 32);
    struct {
        const char *name;
        int apart, per_warp;
    } const cases[] = {
        { "one_word", 0, 0 },          // of the whole GPU
        { "one_line", 1, 0 },          // the 32 words of a line, for all warps
        { "word_per_warp", 0, 32 },    // each warp has a line of its own
        { "line_per_warp", 1, 32 },    // and each lane a word
        { "32_lines", 32, 32 * 32 },   // each lane has a line of its own
    };
    cycle *cycles = demo_allocate<cycle>(gpu.sms);

    for (auto &c : cases) {
        auto put = [&](const char *what, void (*launch)(int, unsigned *, int, int, cycle *)) {
            int rounds = c.per_warp ? 8 * ROUNDS : ROUNDS / 4;

            record(text_of("atomic.%s_%s", what, c.name), "lanes/ns",
                   per_sample(1e-3 * BLOCK * STEPS * gpu.sms, us_per_round(rounds, [=](int rounds) {
                                  launch(rounds, words, c.apart, c.per_warp, cycles);
                              })));
        };
        put("red", [](int rounds, unsigned *words, int apart, int per_warp, cycle *cycles) {
            reds<<<gpu.sms, BLOCK>>>(rounds, words, apart, per_warp, cycles);
        });
        put("red_f32", [](int rounds, unsigned *words, int apart, int per_warp, cycle *cycles) {
            reds<<<gpu.sms, BLOCK>>>(rounds, (float *)words, apart, per_warp, cycles);
        });
        cuda_must(cudaMemset(words, 0, (size_t)gpu.sms * BLOCK * 32 * 4), "clearing");
        put("atom", [](int rounds, unsigned *words, int apart, int per_warp, cycle *cycles) {
            atoms<<<gpu.sms, BLOCK>>>(rounds, words, apart, per_warp, cycles);
        });
    }
    for (int line = 0; line < 64; line++)   // in both halves of L2
        record("atomic.latency", "cycles",
               divided(cycles_per_round(1, ROUNDS,
                                        [=](int rounds, cycle *cycles) {
                                            atoms<<<1, 1>>>(rounds, words + 1056 * line, 0, 0,
                                                            cycles);
                                        }),
                       STEPS));
    cuda_must(cudaFree(cycles), "freeing");
    cuda_must(cudaFree(words), "freeing");
}
