// Shared memory: wavefronts per cycle, by width and bank conflict, and the latency of a load.
//
// Each word contains its own address, or that of the first word of its vector. So a lane that uses
// what it has loaded as the next address loads the same again. The addresses decide which banks a
// warp accesses.
#include "machine.h"

enum { STEPS = 64, CHAINS = 8, ROUNDS = 32, BLOCK = 1024, WORDS = 32 * 33 };

__device__ inline unsigned address_of(const void *shared)
{
    return (unsigned)__cvta_generic_to_shared(shared);
}

// Loads of 4, 8 and 16 bytes. A vector is used by one LOP3; otherwise ptxas would load 4 bytes.
template <int BYTES> __device__ inline void load(unsigned &at)
{
    unsigned y, z, w;

    if (BYTES == 4)
        asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at));
    if (BYTES == 8) {
        asm volatile("ld.shared.v2.u32 {%0, %1}, [%0];" : "+r"(at), "=r"(y));
        at &= y;
    }
    if (BYTES == 16) {
        asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%0];"
                     : "+r"(at), "=r"(y), "=r"(z), "=r"(w));
        at &= y & z;
    }
}

// Lane l reads at l * stride words, and stays there.
// SASS: 5loads LDS 64
template <int BYTES, int N_CHAINS>
static __global__ void loads(int rounds, int stride, cycle *cycles, unsigned *out)
{
    __shared__ __align__(16) unsigned words[WORDS];
    unsigned at[N_CHAINS], all = 0;

    for (int i = threadIdx.x; i < WORDS; i += blockDim.x)
        words[i] = address_of(&words[i & ~(BYTES / 4 - 1)]);
    for (int c = 0; c < N_CHAINS; c++)
        at[c] = address_of(&words[threadIdx.x % 32 * stride % WORDS]);
    timed(rounds, cycles, [&] {
#pragma unroll
        for (int i = 0; i < STEPS; i++)
            load<BYTES>(at[i % N_CHAINS]);
    });
    for (int c = 0; c < N_CHAINS; c++)
        all += at[c];
    out[blockIdx.x * blockDim.x + threadIdx.x] = all;
}

// Stores to the same addresses would be merged, and to neighboring ones, too.
enum { NEXT = 36 * 4 };

template <int BYTES> __device__ inline void store(unsigned at, unsigned v)
{
    if (BYTES == 4)
        asm volatile("st.shared.u32 [%0], %1;" ::"r"(at), "r"(v) : "memory");
    if (BYTES == 8)
        asm volatile("st.shared.v2.u32 [%0], {%1, %1};" ::"r"(at), "r"(v) : "memory");
    if (BYTES == 16)
        asm volatile("st.shared.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(at), "r"(v) : "memory");
}

// SASS: 6stores STS 64
template <int BYTES> static __global__ void stores(int rounds, int stride, cycle *cycles)
{
    __shared__ __align__(16) unsigned words[WORDS + STEPS * NEXT / 4];
    unsigned at = address_of(&words[threadIdx.x % 32 * stride % WORDS]);

    timed(rounds, cycles, [&] {
#pragma unroll
        for (int i = 0; i < STEPS; i++)
            store<BYTES>(at + i * NEXT, at);
    });
}

// Atomic additions without and with a result: all lanes on words `stride` apart.
// SASS: 7atomicsILb0E ATOMS 64
// SASS: 7atomicsILb1E ATOMS 64
template <bool RESULT>
static __global__ void atomics(int rounds, int stride, cycle *cycles, unsigned *out)
{
    __shared__ unsigned words[WORDS];
    unsigned at = address_of(&words[threadIdx.x % 32 * stride % WORDS]);

    for (int i = threadIdx.x; i < WORDS; i += blockDim.x)
        words[i] = 0;
    timed(rounds, cycles, [&] {
#pragma unroll
        for (int i = 0; i < STEPS; i++)
            if (RESULT)   // the result is 0, so the address stays
                asm volatile("{ .reg .u32 t; atom.shared.and.b32 t, [%0], 0; add.u32 %0, %0, t; }"
                             : "+r"(at)::"memory");
            else
                asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(at), "r"(at) : "memory");
    });
    out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}

static unsigned *out;

template <int BYTES> static std::vector<double> cycles_of_loads(int stride)
{
    return divided(cycles_per_round(gpu.sms, ROUNDS,
                                    [=](int rounds, cycle *cycles) {
                                        loads<BYTES, CHAINS>
                                            <<<gpu.sms, BLOCK>>>(rounds, stride, cycles, out);
                                    }),
                   BLOCK / 32 * STEPS);
}

template <int BYTES> static void measure_width(int bits)
{
    std::vector<double> latency = cycles_per_round(gpu.sms, ROUNDS, [](int rounds, cycle *cycles) {
        loads<BYTES, 1><<<gpu.sms, 32>>>(rounds, BYTES / 4, cycles, out);
    });
    std::vector<double> store = cycles_per_round(gpu.sms, ROUNDS, [](int rounds, cycle *cycles) {
        stores<BYTES><<<gpu.sms, BLOCK>>>(rounds, BYTES / 4, cycles);
    });

    record(text_of("shared.lds%d.cycles", bits), "cycles/request",
           cycles_of_loads<BYTES>(BYTES / 4), "32 banks of 4 bytes: bytes / 128", BYTES / 4);
    for (double &cycles : latency)
        cycles = cycles / STEPS - (BYTES > 4 ? recorded("pipe.lop3.latency") : 0);
    record(text_of("shared.lds%d.latency", bits), "cycles", latency);
    record(text_of("shared.sts%d.cycles", bits), "cycles/request",
           divided(store, BLOCK / 32 * STEPS), "32 banks of 4 bytes: bytes / 128", BYTES / 4);
}

template <bool RESULT> static void measure_atomics(const char *name, int stride, int threads)
{
    std::vector<double> cycles = cycles_per_round(gpu.sms, 8, [=](int rounds, cycle *cycles) {
        atomics<RESULT><<<gpu.sms, threads>>>(rounds, stride, cycles, out);
    });

    record(name, threads == 32 ? "cycles" : "cycles/request",
           divided(cycles, threads / 32 * STEPS));
}

void measure_shared(void)
{
    out = demo_allocate<unsigned>((size_t)gpu.sms * BLOCK);
    measure_width<4>(32), measure_width<8>(64), measure_width<16>(128);
    for (int ways : { 2, 4, 8, 16, 32 })
        record(text_of("shared.lds32_%dway.cycles", ways), "cycles/request",
               cycles_of_loads<4>(ways), "one wavefront per word of a bank", ways);
    record("shared.lds32_stride33.cycles", "cycles/request", cycles_of_loads<4>(33),
           "no conflict: one wavefront", 1);
    record("shared.lds32_broadcast.cycles", "cycles/request", cycles_of_loads<4>(0),
           "one word for all lanes: one wavefront", 1);
    for (int ways : { 2, 32 }) {
        std::vector<double> store =
            cycles_per_round(gpu.sms, ROUNDS, [=](int rounds, cycle *cycles) {
                stores<4><<<gpu.sms, BLOCK>>>(rounds, ways, cycles);
            });
        record(text_of("shared.sts32_%dway.cycles", ways), "cycles/request",
               divided(store, BLOCK / 32 * STEPS), "one wavefront per word of a bank", ways);
    }
    measure_atomics<false>("shared.red.cycles", 1, BLOCK);
    measure_atomics<false>("shared.red_2way.cycles", 2, BLOCK);
    measure_atomics<false>("shared.red_one_word.cycles", 0, BLOCK);
    measure_atomics<true>("shared.atom.cycles", 1, BLOCK);
    measure_atomics<true>("shared.atom_one_word.cycles", 0, BLOCK);
    measure_atomics<true>("shared.atom.latency", 1, 32);
    cuda_must(cudaFree(out), "freeing");
}
