// Tensor cores by wgmma: products per cycle and latency, by type; and the clock of the SMs while
// they multiply bf16 with random factors, which reaches the power limit.
//
// Both factors are in shared memory, in the layout of the 128-byte swizzle. What they contain does
// not matter, except for the power.
#include <stdint.h>

#include "machine.h"
#include "../stage/ptx.h"

enum {
    WARPGROUPS = 4,
    STEPS = 16,
    ROUNDS = 64,
    COLS = 128,
    A_BYTES = 64 * 128,
    B_BYTES = COLS * 128
};

#define D_16(i)                                                                            \
    "%" #i "0, %" #i "1, %" #i "2, %" #i "3, %" #i "4, %" #i "5, %" #i "6, %" #i "7, %" #i \
    "8, %" #i "9"
#define D_64                                                                                 \
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, " D_16(1) ", " D_16(2) ", " D_16(3) ", " D_16( \
        4) ", " D_16(5) ", %60, %61, %62, %63}"
#define R_8(c, i)                                                                    \
    "+" c(d[i]), "+" c(d[i + 1]), "+" c(d[i + 2]), "+" c(d[i + 3]), "+" c(d[i + 4]), \
        "+" c(d[i + 5]), "+" c(d[i + 6]), "+" c(d[i + 7])
#define R_64(c) \
    R_8(c, 0), R_8(c, 8), R_8(c, 16), R_8(c, 24), R_8(c, 32), R_8(c, 40), R_8(c, 48), R_8(c, 56)

// d += a b, 64 x DEPTH by DEPTH x 128. `signs` are the operands after the predicate.
#define WGMMA(name, opcode, type, c, depth_, types, signs)                     \
    struct product_##name {                                                    \
        typedef type value;                                                    \
        enum { depth = depth_ };                                               \
        static __device__ void step(type (&d)[64], uint64_t a, uint64_t b)     \
        {                                                                      \
            asm volatile("wgmma.mma_async.sync.aligned.m64n128" types " " D_64 \
                         ", %64, %65, 1" signs ";"                             \
                         : R_64(c)                                             \
                         : "l"(a), "l"(b));                                    \
        }                                                                      \
    };

WGMMA(f16, "HGMMA", float, "f", 16, "k16.f32.f16.f16", ", 1, 1, 0, 0")
WGMMA(bf16, "HGMMA", float, "f", 16, "k16.f32.bf16.bf16", ", 1, 1, 0, 0")
WGMMA(tf32, "HGMMA", float, "f", 8, "k8.f32.tf32.tf32", ", 1, 1")
WGMMA(s8, "IGMMA", int, "r", 32, "k32.s32.s8.s8", "")
WGMMA(e4m3, "QGMMA", float, "f", 32, "k32.f32.e4m3.e4m3", ", 1, 1")

// A number from 0 to 2^32 - 1 that looks random.
__device__ inline unsigned scrambled(unsigned i)
{
    i = (i ^ i >> 16) * 0x7feb352du;
    i = (i ^ i >> 15) * 0x846ca68bu;
    return i ^ i >> 16;
}

__device__ inline void keep(float &v) { asm volatile("" : "+f"(v)::"memory"); }
__device__ inline void keep(int &v) { asm volatile("" : "+r"(v)::"memory"); }

// RANDOM: bf16 of random sign and fraction, and exponents for 1 to 2; otherwise zeros. ISSUED
// wgmmas are in flight at the same time. times[block]: globaltimer, in ns, of the whole block.
// SASS: Li16E [HIQ]GMMA 16
// SASS: Li1E [HIQ]GMMA 1
template <class Product, int ISSUED>
static __global__ void multiply(int rounds, bool random, cycle *cycles, cycle *times,
                                typename Product::value *out)
{
#ifdef HAS_WGMMA
    __shared__ __align__(1024) unsigned a[A_BYTES / 4], b[B_BYTES / 4];
    typename Product::value d[64] = {}, all = 0;
    cycle start, end;

    for (int i = threadIdx.x; i < B_BYTES / 4; i += blockDim.x)
        b[i] = a[i % (A_BYTES / 4)] = random ? scrambled(i) & 0x807f807f | 0x3f803f80 : 0;
    fence_proxy_async();
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    timed(rounds, cycles, [&] {
        wgmma_fence();
#pragma unroll
        for (int i = 0; i < ISSUED; i++)
            Product::step(d, wgmma_descriptor(a) + 2 * (i % 4), wgmma_descriptor(b) + 2 * (i % 4));
        asm volatile("wgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 0;" ::
                         : "memory");
#pragma unroll
        for (int i = 0; i < 64; i++)
            keep(d[i]);
    });
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(end));
    if (times && threadIdx.x == 0)
        times[blockIdx.x] = end - start;
    for (int i = 0; i < 64; i++)
        all += d[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = all;
#endif
}

static void *out;

template <class Product> static void measure(const char *name)
{
    typedef typename Product::value value;

    record(text_of("wgmma.%s.rate", name), "products/cycle/SM",
           per_sample((double)WARPGROUPS * STEPS * 64 * COLS * Product::depth,
                      cycles_per_round(gpu.sms, ROUNDS, [](int rounds, cycle *cycles) {
                          multiply<Product, STEPS><<<gpu.sms, 128 * WARPGROUPS>>>(
                              rounds, false, cycles, NULL, (value *)out);
                      })));
    record(text_of("wgmma.%s.latency", name), "cycles",
           cycles_per_round(gpu.sms, ROUNDS, [](int rounds, cycle *cycles) {
               multiply<Product, 1><<<gpu.sms, 128>>>(rounds, false, cycles, NULL, (value *)out);
           }));
}

// Launches for about half a second. The first half lets the clock settle.
static void measure_power(bool random, const char *name)
{
    const int launches = 30, rounds = 8000;
    cycle *cycles = demo_allocate<cycle>(gpu.sms), *times = demo_allocate<cycle>(gpu.sms);
    std::vector<double> mhz, rate;

    for (int i = 0; i < launches; i++) {
        multiply<product_bf16, STEPS>
            <<<gpu.sms, 128 * WARPGROUPS>>>(rounds, random, cycles, times, (float *)out);
        if (i < launches / 2)
            continue;
        std::vector<cycle> c = demo_results(cycles, gpu.sms), ns = demo_results(times, gpu.sms);
        for (int sm = 0; sm < gpu.sms; sm++) {
            mhz.push_back(1e3 * c[sm] / ns[sm]);
            rate.push_back(2e-3 * gpu.sms * rounds * WARPGROUPS * STEPS * 64 * COLS * 16 / ns[sm]);
        }
    }
    double top = demo_attribute(cudaDevAttrClockRate) / 1e3;
    record(text_of("clock.wgmma_%s", name), "MHz", mhz, "the highest clock", top);
    record(text_of("wgmma.bf16_%s", name), "TFLOP/s", rate,
           "2 x 2048 products per cycle and SM at the highest clock", 4096e-6 * gpu.sms * top);
    cuda_must(cudaFree(cycles), "freeing");
    cuda_must(cudaFree(times), "freeing");
}

void measure_wgmma(void)
{
    if (gpu.sm != 90)
        return;
    out = demo_allocate<float>((size_t)gpu.sms * 128 * WARPGROUPS);
    measure<product_f16>("f16"), measure<product_bf16>("bf16"), measure<product_tf32>("tf32");
    measure<product_s8>("s8"), measure<product_e4m3>("e4m3");
    measure_power(false, "zeros"), measure_power(true, "random");
    cuda_must(cudaFree(out), "freeing");
}
