// L2: bytes per cycle that SMs load and store, in whole and partial sectors, and its latency.
//
// The arrays fit in L2, and loads bypass L1.
#include "machine.h"

enum { STEPS = 8, ROUNDS = 64, BLOCK = 1024 };

// How a warp accesses memory in one instruction, and the sectors of 32 bytes that it touches.
enum access {
    WIDE,      // 16 bytes per lane, one after the other: 16 sectors
    WORDS,     // 4 bytes per lane, one after the other: 4 sectors
    PARTIAL,   // 4 bytes per lane, 32 bytes apart: 32 sectors
};
static const int SECTORS[] = { 16, 4, 32 };

// The offset of a thread's accesses. All threads together access `bytes` bytes, a power of two,
// round-robin.
template <access A> struct offset {
    unsigned at, stride, mask;

    __device__ offset(unsigned bytes)
    {
        const unsigned apart = A == WIDE ? 16 : A == WORDS ? 4 : 32;

        stride = gridDim.x * blockDim.x * apart;
        mask = bytes - 1;
        at = (blockIdx.x * blockDim.x + threadIdx.x) * apart & mask;
    }
    __device__ unsigned next()
    {
        unsigned now = at;

        at = (at + stride) & mask;
        return now;
    }
};

// SASS: 5loadsIL6access0E LDG 8
// SASS: 5loadsIL6access1E LDG 8
// SASS: 5loadsIL6access2E LDG 8
template <access A>
static __global__ void loads(int rounds, const char *from, unsigned bytes, cycle *cycles,
                             unsigned *out)
{
    offset<A> offset(bytes);
    unsigned sum = 0;

    timed(rounds, cycles, [&] {
#pragma unroll
        for (int i = 0; i < STEPS; i++) {
            const char *at = from + offset.next();
            if (A == WIDE) {
                uint4 v = __ldcg((const uint4 *)at);
                sum ^= v.x ^ v.y ^ v.z ^ v.w;
            } else {
                sum ^= __ldcg((const unsigned *)at);
            }
        }
    });
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// SASS: 6storesIL6access0E STG 8
// SASS: 6storesIL6access1E STG 8
// SASS: 6storesIL6access2E STG 8
template <access A>
static __global__ void stores(int rounds, char *to, unsigned bytes, cycle *cycles)
{
    offset<A> offset(bytes);

    timed(rounds, cycles, [&] {
#pragma unroll
        for (int i = 0; i < STEPS; i++) {
            char *at = to + offset.next();
            if (A == WIDE)
                *(uint4 *)at = make_uint4(i, i, i, i);
            else
                *(unsigned *)at = i;
        }
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
static size_t data_bytes;
static unsigned *out;

template <access A> static void launch(bool store, int blocks, int rounds, cycle *cycles)
{
    if (store)
        stores<A><<<blocks, BLOCK>>>(rounds, data, (unsigned)data_bytes, cycles);
    else
        loads<A><<<blocks, BLOCK>>>(rounds, data, (unsigned)data_bytes, cycles, out);
}

// One SM alone, then all of them at the same time.
template <access A> static void measure(const char *name, bool store)
{
    double sectors = (double)SECTORS[A] * BLOCK / 32 * STEPS;
    cycle *cycles = demo_allocate<cycle>(gpu.sms);

    record(text_of("l2.%s.one_sm", name), "sectors/cycle",
           per_sample(sectors, cycles_per_round(1, ROUNDS, [=](int rounds, cycle *cycles) {
                          launch<A>(store, 1, rounds, cycles);
                      })));
    record(text_of("l2.%s.all_sms", name), "sectors/ns",
           per_sample(1e-3 * sectors * gpu.sms, us_per_round(16 * ROUNDS, [=](int rounds) {
                          launch<A>(store, gpu.sms, rounds, cycles);
                      })));
    cuda_must(cudaFree(cycles), "freeing");
}

static void measure_latency(void)
{
    enum { LINES = 2048 };
    cycle *cycles = demo_allocate<cycle>(LINES);
    unsigned long long *own = own_addresses(data_bytes);
    std::vector<double> samples;

    for (int i = 0; i < 2; i++)
        latencies<<<1, 1>>>(own, LINES, (int)(data_bytes / 8 / LINES), cycles,
                            (unsigned long long *)out);
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
    for (data_bytes = 1 << 20; 8 * data_bytes <= gpu.l2_bytes;)
        data_bytes *= 2;   // an eighth to a quarter of L2
    data = demo_allocate<char>(data_bytes);
    measure<WIDE>("load", false), measure<WORDS>("load_words", false);
    measure<PARTIAL>("load_partial", false), measure<WIDE>("store", true);
    measure<WORDS>("store_words", true), measure<PARTIAL>("store_partial", true);
    measure_latency();
    cuda_must(cudaFree(data), "freeing");
    cuda_must(cudaFree(out), "freeing");
}
