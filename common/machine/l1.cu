// L1: cycles per load request, by which lines and banks the lanes of a warp access, and by width.
// All loads hit.
//
// Each round loads at 16 places, 128 bytes apart, which changes the line and keeps the banks.
// `none` is 0. ptxas does not know that, so it cannot move the loads out of the loop.
#include <math.h>

#include "machine.h"

enum { PLACES = 16, ROUNDS = 64, BLOCK = 1024 };

// The loads of a warp: lane l reads the word l / per_row * pitch + l % per_row.
struct pattern {
    const char *name;
    int per_row, pitch;
    double lines, ways;   // different lines; the most words of a bank
};

template <class Word> __device__ inline unsigned load(const Word *at)
{
    unsigned v, y, z, w;

    if (sizeof(Word) == 1)
        asm volatile("ld.global.u8 %0, [%1];" : "=r"(v) : "l"(at));
    else if (sizeof(Word) == 2)
        asm volatile("ld.global.u16 %0, [%1];" : "=r"(v) : "l"(at));
    else if (sizeof(Word) == 4)
        asm volatile("ld.global.u32 %0, [%1];" : "=r"(v) : "l"(at));
    else if (sizeof(Word) == 8) {
        asm volatile("ld.global.v2.u32 {%0, %1}, [%2];" : "=r"(v), "=r"(y) : "l"(at));
        v ^= y;
    } else {
        asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(v), "=r"(y), "=r"(z), "=r"(w)
                     : "l"(at));
        v ^= y ^ z ^ w;
    }
    return v;
}

// SASS: 4hits LDG 16
template <class Word>
static __global__ void hits(int rounds, const Word *words, int per_row, int pitch, int none,
                            cycle *cycles, unsigned *out)
{
    int lane = threadIdx.x % 32;
    const Word *from = words + lane / per_row * pitch + lane % per_row;
    unsigned sum = 0;

    timed(rounds, cycles, [&] {
#pragma unroll
        for (int i = 0; i < PLACES; i++)
            sum ^= load(from + i * (128 / sizeof(Word)));
        from += none;
    });
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// One warp: each load returns the address of the next one, which is its own.
// SASS: 6chased LDG 64
static __global__ void chased(int rounds, unsigned long long *at, cycle *cycles,
                              unsigned long long *out)
{
    unsigned long long p = (unsigned long long)at;

    timed(rounds, cycles, [&] {
#pragma unroll
        for (int i = 0; i < 64; i++)
            asm volatile("ld.global.u64 %0, [%0];" : "+l"(p));
    });
    out[blockIdx.x * blockDim.x + threadIdx.x] = p;
}

static unsigned *words, *out;

template <class Word> static std::vector<double> cycles_of(int per_row, int pitch)
{
    return divided(cycles_per_round(gpu.sms, ROUNDS,
                                    [=](int rounds, cycle *cycles) {
                                        hits<Word><<<gpu.sms, BLOCK>>>(rounds, (const Word *)words,
                                                                       per_row, pitch, 0, cycles,
                                                                       out);
                                    }),
                   BLOCK / 32 * PLACES);
}

void measure_l1(void)
{
    static const struct pattern patterns[] = {
        { "one_line", 32, 0, 1, 1 },
        { "one_word", 32, 0, 1, 1 },
        { "2_rows_same_banks", 16, 4096, 2, 2 },
        { "2_rows_other_banks", 16, 4096 + 16, 2, 1 },
        { "4_rows_other_banks", 8, 1024 + 8, 4, 1 },
        { "8_rows_other_banks", 4, 1024 + 4, 8, 1 },
        { "8_rows_same_banks", 4, 1024, 8, 8 },
        { "stride_2", 1, 2, 2, 2 },
        { "stride_9", 1, 9, 9, 1 },
        { "stride_17", 1, 17, 17, 1 },
        { "stride_32", 1, 32, 32, 32 },
        { "stride_33", 1, 33, 32, 1 },
        { "stride_34", 1, 34, 32, 2 },
        { "stride_36", 1, 36, 32, 4 },
    };

    words = demo_allocate<unsigned>(1 << 20);
    out = demo_allocate<unsigned>((size_t)gpu.sms * BLOCK);
    for (const struct pattern &p : patterns) {
        bool one_word = strcmp(p.name, "one_word") == 0;

        record(text_of("l1.%s.cycles", p.name), "cycles/request",
               cycles_of<unsigned>(one_word ? 1 : p.per_row, p.pitch),
               "max(lines / 4, words of a bank), rounded up", std::max(ceil(p.lines / 4), p.ways));
    }
    record("l1.u8.cycles", "cycles/request", cycles_of<unsigned char>(32, 0));
    record("l1.u16.cycles", "cycles/request", cycles_of<unsigned short>(32, 0));
    record("l1.u64.cycles", "cycles/request", cycles_of<uint2>(32, 0), "bytes / 128", 2);
    record("l1.u128.cycles", "cycles/request", cycles_of<uint4>(32, 0), "bytes / 128", 4);
    unsigned long long *own = own_addresses(4096);
    record("l1.latency", "cycles",
           divided(cycles_per_round(gpu.sms, 32,
                                    [=](int rounds, cycle *cycles) {
                                        chased<<<gpu.sms, 1>>>(rounds, own, cycles,
                                                               (unsigned long long *)out);
                                    }),
                   64));
    cuda_must(cudaFree(own), "freeing");
    cuda_must(cudaFree(words), "freeing");
    cuda_must(cudaFree(out), "freeing");
}
