// The constant cache: cycles per load by different words in a warp, and latency by size.
//
// Each word contains the offset of the word that is loaded next.
#include "machine.h"

enum { WORDS = 1 << 14, STEPS = 64, CHAINS = 4, ROUNDS = 16, BLOCK = 1024 };

__constant__ unsigned words[WORDS];

// Lane l starts at word l % different * apart.
// SASS: 9constants LDC 64
template <int N_CHAINS>
static __global__ void constants(int rounds, int different, int apart, cycle *cycles, unsigned *out)
{
    unsigned at[N_CHAINS], all = 0;

    for (int c = 0; c < N_CHAINS; c++)
        at[c] = threadIdx.x % different * apart * 4;
    timed(rounds, cycles, [&] {
#pragma unroll
        for (int i = 0; i < STEPS; i++)
            at[i % N_CHAINS] = *(const unsigned *)((const char *)words + at[i % N_CHAINS]);
    });
    for (int c = 0; c < N_CHAINS; c++)
        all += at[c];
    out[blockIdx.x * blockDim.x + threadIdx.x] = all;
}

// Each word leads to the one `apart` words further in the first `n`, or to itself.
static void fill(int n, int apart)
{
    std::vector<unsigned> next(WORDS);

    for (int i = 0; i < WORDS; i++)
        next[i] = 4 * (i < n ? (i + apart) % n : i);
    cuda_must(cudaMemcpyToSymbol(words, next.data(), sizeof words), "copying constants");
}

void measure_constant(void)
{
    unsigned *out = demo_allocate<unsigned>((size_t)gpu.sms * BLOCK);

    fill(WORDS, 0);
    for (int different : { 1, 2, 4, 8, 32 })
        record(text_of("constant.ldc_%dwords.cycles", different), "cycles/request",
               divided(cycles_per_round(gpu.sms, ROUNDS,
                                        [=](int rounds, cycle *cycles) {
                                            constants<CHAINS><<<gpu.sms, BLOCK>>>(rounds, different,
                                                                                  1, cycles, out);
                                        }),
                       BLOCK / 32 * STEPS));
    for (int kib : { 1, 16, 48 }) {
        fill(kib * 256, 16);
        record(text_of("constant.ldc_%dkib.latency", kib), "cycles",
               divided(cycles_per_round(gpu.sms, 2 * kib,
                                        [=](int rounds, cycle *cycles) {
                                            constants<1><<<gpu.sms, 1>>>(rounds, 1, 1, cycles, out);
                                        }),
                       STEPS));
    }
    cuda_must(cudaFree(out), "freeing");
}
