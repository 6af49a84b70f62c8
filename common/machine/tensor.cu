// Tensor cores by mma.sync: products per cycle and latency, by type. The operands are registers.
#include "machine.h"

enum { STEPS = 16, ROUNDS = 64, CHAINS = 4, BLOCK = 512 };

// d += a b. In a LONG shape, a has four registers and b has two.
#define D "{%0, %1, %2, %3}"
#define MMA(name, opcode, products_, ptx)                                                        \
    struct mma_##name {                                                                          \
        enum { products = products_ };                                                           \
        static __device__ void step(unsigned (&d)[4], const unsigned (&a)[4], const unsigned *b) \
        {                                                                                        \
            asm volatile(ptx                                                                     \
                         : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])                        \
                         : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));    \
        }                                                                                        \
    };
#define LONG(shape) "mma.sync.aligned." shape " " D ", {%4, %5, %6, %7}, {%8, %9}, " D ";"

MMA(f16_m16n8k8, "HMMA", 16 * 8 * 8,
    "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 " D ", {%4, %5}, {%8}, " D ";")
MMA(f16, "HMMA", 16 * 8 * 16, SM_80(LONG("m16n8k16.row.col.f32.f16.f16.f32")))
MMA(bf16, "HMMA", 16 * 8 * 16, SM_80(LONG("m16n8k16.row.col.f32.bf16.bf16.f32")))
MMA(tf32, "HMMA", 16 * 8 * 8, SM_80(LONG("m16n8k8.row.col.f32.tf32.tf32.f32")))
MMA(s8, "IMMA", 16 * 8 * 32, SM_80(LONG("m16n8k32.row.col.s32.s8.s8.s32")))
MMA(u8s8, "IMMA", 16 * 8 * 32, SM_80(LONG("m16n8k32.row.col.s32.u8.s8.s32")))
// On sm_90, ptxas converts fp8 to fp16 and uses HMMA: fp8 at full rate is in wgmma only.

// SASS: 8multiply [HI]MMA 16
template <class Mma, int N_CHAINS>
static __global__ void multiply(int rounds, cycle *cycles, unsigned *out)
{
    unsigned d[N_CHAINS][4] = {}, all = 0;
    unsigned a[4] = { threadIdx.x, threadIdx.x + 1, threadIdx.x + 2, threadIdx.x + 3 };
    unsigned b[2] = { threadIdx.x + 4, threadIdx.x + 5 };

    timed(rounds, cycles, [&] {
#pragma unroll
        for (int i = 0; i < STEPS; i++)
            Mma::step(d[i % N_CHAINS], a, b);
    });
    for (int c = 0; c < N_CHAINS; c++)
        all += d[c][0] + d[c][1] + d[c][2] + d[c][3];
    out[blockIdx.x * blockDim.x + threadIdx.x] = all;
}

static unsigned *out;

template <class Mma> static void measure(const char *name)
{
    record(text_of("mma.%s.rate", name), "products/cycle/SM",
           per_sample((double)BLOCK / 32 * STEPS * Mma::products,
                      cycles_per_round(gpu.sms, ROUNDS, [](int rounds, cycle *cycles) {
                          multiply<Mma, CHAINS><<<gpu.sms, BLOCK>>>(rounds, cycles, out);
                      })));
    record(text_of("mma.%s.latency", name), "cycles",
           divided(cycles_per_round(gpu.sms, ROUNDS,
                                    [](int rounds, cycle *cycles) {
                                        multiply<Mma, 1><<<gpu.sms, 32>>>(rounds, cycles, out);
                                    }),
                   STEPS));
}
#define MEASURE(name) measure<mma_##name>(#name)

void measure_tensor(void)
{
    out = demo_allocate<unsigned>((size_t)gpu.sms * BLOCK);
    MEASURE(f16_m16n8k8);
    if (gpu.sm >= 80)
        MEASURE(f16), MEASURE(bf16), MEASURE(tf32), MEASURE(s8), MEASURE(u8s8);
    cuda_must(cudaFree(out), "freeing");
}
