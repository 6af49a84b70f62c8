// L2: bytes per cycle that SMs load and store, in whole and partial sectors, and its latency.
//
// The regions of all SMs together fit in L2, and loads bypass L1.
#include "machine.h"

enum { ROUNDS = 128, BLOCK = 1024, REGION = 64 << 10 };

// How a warp accesses memory in one instruction: bytes from a lane to the next, the sectors of 32
// bytes that it touches, and accesses per round, so that those of a block are in REGION bytes.
struct wide {   // 16 bytes per lane
    typedef uint4 word;
    enum { APART = 16, SECTORS = 16, STEPS = 4 };
};
struct words {   // 4 bytes per lane
    typedef unsigned word;
    enum { APART = 4, SECTORS = 4, STEPS = 8 };
};
struct partial {   // 4 bytes per lane, each of another sector
    typedef unsigned word;
    enum { APART = 32, SECTORS = 32, STEPS = 2 };
};

__device__ inline unsigned sum_of(unsigned v) { return v; }
__device__ inline unsigned sum_of(uint4 v) { return v.x ^ v.y ^ v.z ^ v.w; }
__device__ inline void set(unsigned *to, unsigned v) { *to = v; }
__device__ inline void set(uint4 *to, unsigned v) { *to = make_uint4(v, v, v, v); }

// Each block has its own region, so that no two SMs load the same line at the same time, which L2
// would merge; or as many blocks as `sharers` have the same one. `none` is 0. ptxas does not know
// that, so it cannot move the loads out of the loop.
// SASS: loadsI4wide LDG 4
// SASS: loadsI5words LDG 8
// SASS: loadsI7partial LDG 2
template <class Access>
static __global__ void loads(int rounds, const char *from, int none, int sharers, cycle *cycles,
                             unsigned *out)
{
    unsigned sum = 0;

    from += (size_t)blockIdx.x / sharers * REGION + threadIdx.x * Access::APART;
    timed(rounds, cycles, [&] {
#pragma unroll
        for (int i = 0; i < Access::STEPS; i++)
            sum ^= sum_of(__ldcg((typename Access::word *)(from + i * BLOCK * Access::APART)));
        from += none;
    });
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// SASS: storesI4wide STG 4
// SASS: storesI5words STG 8
// SASS: storesI7partial STG 2
template <class Access> static __global__ void stores(int rounds, char *to, int none, cycle *cycles)
{
    unsigned v = threadIdx.x;

    to += (size_t)blockIdx.x * REGION + threadIdx.x * Access::APART;
    timed(rounds, cycles, [&] {
#pragma unroll
        for (int i = 0; i < Access::STEPS; i++)
            set((typename Access::word *)(to + i * BLOCK * Access::APART), v);
        to += none;
    });
}

// The latency of each of many lines: one thread loads the address of the line from the line itself.
// SASS: 9latencies LDG 32
static __global__ void latencies(unsigned long long *lines, int n, int words_apart, cycle *cycles,
                                 unsigned long long *out)
{
#pragma unroll 1
    for (int line = 0; line < n; line++) {
        unsigned long long p = (unsigned long long)(lines + (size_t)line * words_apart);
        asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(p));   // into L2
        out[0] = p;                                             // waits for it
        __syncthreads();
        cycle start = clock64();
#pragma unroll
        for (int i = 0; i < 32; i++)
            asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(p));
        out[0] = p;
        __syncthreads();
        cycles[line] = clock64() - start;
    }
}

static char *data;
static unsigned *out;

template <class Access> static void launch(bool store, int blocks, int rounds, cycle *cycles)
{
    if (store)
        stores<Access><<<blocks, BLOCK>>>(rounds, data, 0, cycles);
    else
        loads<Access><<<blocks, BLOCK>>>(rounds, data, 0, 1, cycles, out);
}

// One SM alone, then all of them at the same time.
template <class Access> static void measure(const char *name, bool store)
{
    double sectors = (double)Access::SECTORS * Access::STEPS * BLOCK / 32;
    cycle *cycles = demo_allocate<cycle>(gpu.sms);

    record(text_of("l2.%s.one_sm", name), "sectors/cycle",
           per_sample(sectors, cycles_per_round(1, ROUNDS, [=](int rounds, cycle *cycles) {
                          launch<Access>(store, 1, rounds, cycles);
                      })));
    record(text_of("l2.%s.all_sms", name), "sectors/ns",
           per_sample(1e-3 * sectors * gpu.sms, us_per_round(16 * ROUNDS, [=](int rounds) {
                          launch<Access>(store, gpu.sms, rounds, cycles);
                      })));
    cuda_must(cudaFree(cycles), "freeing");
}

// All SMs, of which some load the same lines at about the same time.
static void measure_sharers(void)
{
    double sectors = (double)wide::SECTORS * wide::STEPS * BLOCK / 32;
    cycle *cycles = demo_allocate<cycle>(gpu.sms);

    for (int sharers : { 2, 4, 8, 16 })
        record(text_of("l2.load.shared_%dsms", sharers), "sectors/ns",
               per_sample(1e-3 * sectors * gpu.sms, us_per_round(16 * ROUNDS, [=](int rounds) {
                              loads<wide>
                                  <<<gpu.sms, BLOCK>>>(rounds, data, 0, sharers, cycles, out);
                          })));
    cuda_must(cudaFree(cycles), "freeing");
}

static void measure_latency(void)
{
    enum { LINES = 2048, SPAN = 2 << 20 };
    cycle *cycles = demo_allocate<cycle>(LINES);
    unsigned long long *own = own_addresses(SPAN);
    std::vector<double> samples;

    for (int i = 0; i < 2; i++)
        latencies<<<1, 1>>>(own, LINES, SPAN / 8 / LINES, cycles, (unsigned long long *)out);
    for (cycle c : demo_results(cycles, LINES))
        samples.push_back(c / 32.0);
    record("l2.latency", "cycles", samples);
    std::vector<double> sorted = samples;
    std::sort(sorted.begin(), sorted.end());
    size_t half = sorted.size() / 2;
    record("l2.latency_near", "cycles", std::vector<double>(sorted.begin(), sorted.begin() + half));
    record("l2.latency_far", "cycles", std::vector<double>(sorted.begin() + half, sorted.end()));
    cuda_must(cudaFree(own), "freeing");
    cuda_must(cudaFree(cycles), "freeing");
}

void measure_l2(void)
{
    out = demo_allocate<unsigned>((size_t)gpu.sms * BLOCK);
    data = demo_allocate<char>((size_t)gpu.sms * REGION);
    measure<wide>("load", false), measure<words>("load_words", false);
    measure<partial>("load_partial", false), measure<wide>("store", true);
    measure<words>("store_words", true), measure<partial>("store_partial", true);
    measure_sharers();
    measure_latency();
    cuda_must(cudaFree(data), "freeing");
    cuda_must(cudaFree(out), "freeing");
}
