// DRAM: bandwidth, latency idle and under load, and stores of parts of a sector.
#include "machine.h"

enum { BLOCK = 256, BESIDE = 4 };

// --- bandwidth: each thread accesses four vectors of 16 bytes

// SASS: 8read_all LDG 4
static __global__ void read_all(const uint4 *in, size_t n, unsigned *out)
{
    unsigned sum = 0;

    for (size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x; i < n;
         i += (size_t)BESIDE * gridDim.x * BLOCK) {
        uint4 v[BESIDE];

#pragma unroll
        for (int k = 0; k < BESIDE; k++)
            v[k] = __ldcg(&in[i + (size_t)k * gridDim.x * BLOCK]);
        for (int k = 0; k < BESIDE; k++)
            sum ^= v[k].x ^ v[k].y ^ v[k].z ^ v[k].w;
    }
    out[blockIdx.x * BLOCK + threadIdx.x] = sum;
}

static __global__ void write_all(uint4 *out, unsigned value)
{
    size_t i = (size_t)blockIdx.x * BLOCK * BESIDE + threadIdx.x;

    for (int k = 0; k < BESIDE; k++)
        out[i + k * BLOCK] = make_uint4(value, value, value, value);
}

static __global__ void copy_all(const uint4 *in, uint4 *out)
{
    size_t i = (size_t)blockIdx.x * BLOCK * BESIDE + threadIdx.x;
    uint4 v[BESIDE];

#pragma unroll
    for (int k = 0; k < BESIDE; k++)
        v[k] = in[i + k * BLOCK];
#pragma unroll
    for (int k = 0; k < BESIDE; k++)
        out[i + k * BLOCK] = v[k];
}

// --- latency

// Each line of 128 bytes contains the address of another one: a linear congruential generator with
// full period visits all lines in an irregular order.
static __global__ void fill_chain(unsigned long long *lines, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        lines[(size_t)i * 16] =
            (unsigned long long)(lines + (size_t)((i * 1664525u + 1013904223u) & (n - 1)) * 16);
}

// SASS: 5chase LDG 1
static __global__ void chase(int rounds, unsigned long long *at, cycle *cycles)
{
    unsigned long long p = *at;

    timed(rounds, cycles, [&] { asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(p)); });
    *at = p;
}

// Under load: each warp has WIDTH loads of 512 bytes in flight. It makes the next ones when these
// have arrived: their addresses depend on the values, which are 0. With `to`, it stores what it
// has loaded. Little's law: latency = bytes in flight / bandwidth.
// SASS: 6loadedILi1E LDG 1
// SASS: 6loadedILi2E LDG 2
template <int WIDTH>
static __global__ void loaded(const uint4 *in, uint4 *to, int steps, unsigned *out)
{
    size_t stride = (size_t)gridDim.x * blockDim.x,
           at = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = 0;

    for (int step = 0; step < steps; step++) {
        uint4 v[WIDTH];

#pragma unroll
        for (int k = 0; k < WIDTH; k++)
            v[k] = __ldcg(&in[at + k * stride]);
#pragma unroll
        for (int k = 0; k < WIDTH; k++) {
            sum += v[k].x;
            if (to)
                to[at + k * stride] = v[k];
        }
        at += WIDTH * stride + sum;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// The same with one load in flight per warp, whose cycles each are counted in BINS classes: a warp
// leaves the loop only if a value is not 0, so its clock is read when the data are there.
// SASS: 9each_load LDG 1
enum { BINS = 1024, BIN_CYCLES = 16 };

static __global__ void each_load(const uint4 *in, uint4 *to, int steps, unsigned *loads)
{
    __shared__ unsigned count[BINS];
    size_t stride = (size_t)gridDim.x * blockDim.x,
           at = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x)
        count[bin] = 0;
    __syncthreads();
#pragma unroll 1
    for (int step = 0; step < steps; step++) {
        cycle start = clock64(), cycles;
        uint4 v;

        asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                     : "l"(in + at));
        if (v.x)
            break;
        cycles = clock64() - start;
        if (to)
            to[at] = v;
        if (threadIdx.x % 32 == 0 && step)
            atomicAdd(&count[cycles / BIN_CYCLES < BINS ? cycles / BIN_CYCLES : BINS - 1], 1);
        at += stride;
    }
    __syncthreads();
    for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x)
        atomicAdd(&loads[bin], count[bin]);
}

// --- stores of parts of sectors

// Each warp stores the words `first` to `last` of its sectors of 32 bytes: one word per lane and
// store. Each block has a region of `region` sectors. It does this for each part of 32 / passes
// bytes, in as many passes over its region.
static __global__ void store_passes(unsigned *to, int region, int passes)
{
    unsigned *from = to + (size_t)blockIdx.x * region * 8;
    int words = 8 / passes;

    for (int part = 0; part < passes; part++)
        for (int sector = threadIdx.x; sector < region; sector += BLOCK)
            for (int word = part * words; word < (part + 1) * words; word++)
                from[sector * 8 + word] = word;
}

// One word of each sector, or of each line, and no more: WORDS from one store to the next.
// SASS: 9store_one STG 1
template <int WORDS> static __global__ void store_one(unsigned *to, int region)
{
    unsigned *from = to + (size_t)blockIdx.x * region * WORDS;

    for (int sector = threadIdx.x; sector < region; sector += BLOCK)
        from[sector * WORDS] = sector;
}

static uint4 *in, *to;
static size_t bytes;
static unsigned *out;

static void measure_bandwidth(void)
{
    const char *formula = "2 x memory clock x bus width";
    int resident = gpu.sms * 8, blocks = (int)(bytes / 16 / BESIDE / BLOCK);

    record("dram.read", "GB/s",
           per_sample(1e-3 * bytes, times_of([=] {
                          read_all<<<resident, BLOCK>>>(in,
                                                        bytes / 16 / resident / BLOCK / BESIDE *
                                                            resident * BLOCK * BESIDE,
                                                        out);
                      })),
           formula, gpu.peak_gbs);
    record("dram.write", "GB/s",
           per_sample(1e-3 * bytes, times_of([=] { write_all<<<blocks, BLOCK>>>(to, 0); })),
           formula, gpu.peak_gbs);
    record("dram.copy", "GB/s",
           per_sample(2e-3 * bytes, times_of([=] { copy_all<<<blocks, BLOCK>>>(in, to); })),
           formula, gpu.peak_gbs);
}

static void measure_idle(size_t size, const char *name)
{
    unsigned n = (unsigned)(size / 128);
    unsigned long long *lines = demo_allocate<unsigned long long>(size / 8),
                       *at = demo_allocate<unsigned long long>(1);

    fill_chain<<<n / BLOCK, BLOCK>>>(lines, n);
    cuda_must(cudaMemcpy(at, &lines, sizeof lines, cudaMemcpyHostToDevice), "copying the start");
    record(name, "cycles", cycles_per_round(1, 8192, [=](int rounds, cycle *cycles) {
               chase<<<1, 1>>>(rounds, at, cycles);
           }));
    cuda_must(cudaFree(lines), "freeing");
    cuda_must(cudaFree(at), "freeing");
}

template <int WIDTH> static void measure_load(bool copy, int warps, int blocks_per_sm)
{
    int blocks = gpu.sms * blocks_per_sm, kib = warps * blocks_per_sm * WIDTH / 2;
    double flight = (double)blocks * warps * 512 * WIDTH;
    int steps = std::min(1024, (int)(bytes / flight));
    size_t each = (size_t)(flight * steps), first = 0;
    // Each launch goes on where the last one ended, so that L2 does not have the data.
    std::vector<double> us = times_of([=, &first] {
        loaded<WIDTH>
            <<<blocks, 32 * warps>>>(in + first / 16, copy ? to + first / 16 : NULL, steps, out);
        first = first + 2 * each > bytes ? 0 : first + each;
    });
    const char *what = copy ? "copy" : "read";

    record(text_of("dram.%s_load_%dkib.rate", what, kib), "GB/s",
           per_sample((copy ? 2e-3 : 1e-3) * flight * steps, us), "2 x memory clock x bus width",
           gpu.peak_gbs);
    record(text_of("dram.%s_load_%dkib.latency", what, kib), "ns", divided(us, 1e-3 * steps));
}

static void measure_loads(void)
{
    for (bool copy : { false, true }) {
        measure_load<1>(copy, 2, 1), measure_load<1>(copy, 4, 1), measure_load<1>(copy, 8, 1);
        measure_load<1>(copy, 16, 1), measure_load<1>(copy, 32, 1), measure_load<1>(copy, 16, 3);
        measure_load<1>(copy, 32, 2), measure_load<2>(copy, 16, 3), measure_load<2>(copy, 32, 2);
    }
}

// The cycles of which this share of the loads takes no more.
static double percentile(const std::vector<unsigned> &loads, double share)
{
    double all = 0, below = 0;

    for (unsigned n : loads)
        all += n;
    for (int bin = 0; bin < BINS; bin++) {
        below += loads[bin];
        if (below >= share * all)
            return (bin + 0.5) * BIN_CYCLES;
    }
    return BINS * BIN_CYCLES;
}

// How the latencies of single loads differ, with as many bytes in flight as in measure_load().
static void measure_spread(bool copy, int warps, int blocks_per_sm)
{
    static const struct {
        const char *name;
        double share;
    } shares[] = { { "p10", 0.1 }, { "median", 0.5 }, { "p90", 0.9 }, { "p99", 0.99 } };
    int blocks = gpu.sms * blocks_per_sm, kib = warps * blocks_per_sm / 2;
    size_t flight = (size_t)blocks * warps * 512;
    int steps = (int)std::min((size_t)1024, bytes / flight);
    unsigned *loads = demo_allocate<unsigned>(BINS);
    std::vector<double> samples[4];

    for (int launch = 0; launch < 3; launch++) {
        cuda_must(cudaMemset(loads, 0, BINS * sizeof *loads), "clearing the counts");
        each_load<<<blocks, 32 * warps>>>(in, copy ? to : NULL, steps, loads);
        std::vector<unsigned> counts = demo_results(loads, BINS);
        for (int k = 0; k < 4; k++)
            samples[k].push_back(percentile(counts, shares[k].share));
    }
    for (int k = 0; k < 4; k++)
        record(text_of("dram.%s_spread_%dkib.%s", copy ? "copy" : "read", kib, shares[k].name),
               "cycles", samples[k]);
    cuda_must(cudaFree(loads), "freeing");
}

static void measure_spreads(void)
{
    for (bool copy : { false, true }) {
        measure_spread(copy, 4, 1), measure_spread(copy, 8, 1), measure_spread(copy, 16, 1);
        measure_spread(copy, 32, 1), measure_spread(copy, 32, 2);
    }
}

static void measure_parts(void)
{
    static const int regions[] = { 1 << 8, 1 << 12, 1 << 16 };
    double sectors = bytes / 32e3;   // so that us give sectors per ns

    record("dram.store_one_word", "sectors/ns",
           per_sample(sectors, times_of([=] {
                          store_one<8><<<(int)(bytes / 32 >> 12), BLOCK>>>((unsigned *)to, 1 << 12);
                      })),
           "a sector is read and written: dram.copy / 64 bytes", recorded("dram.copy") / 64);
    record("dram.store_one_word_per_line", "sectors/ns",
           per_sample(sectors / 4, times_of([=] {
                          store_one<32>
                              <<<(int)(bytes / 128 >> 12), BLOCK>>>((unsigned *)to, 1 << 12);
                      })));
    for (int passes : { 1, 2, 8 })
        for (int region : regions)
            record(text_of("dram.store_%dpasses_%dkib", passes, region / 32), "sectors/ns",
                   per_sample(sectors, times_of([=] {
                                  store_passes<<<(int)(bytes / 32 / region), BLOCK>>>(
                                      (unsigned *)to, region, passes);
                              })));
}

void measure_dram(void)
{
    bytes = demo_large(2);
    in = demo_allocate<uint4>(bytes / 16);
    to = demo_allocate<uint4>(bytes / 16);
    out = demo_allocate<unsigned>((size_t)gpu.sms * 2048);
    measure_bandwidth();
    measure_loads();
    measure_spreads();
    measure_parts();
    cuda_must(cudaFree(in), "freeing");
    cuda_must(cudaFree(to), "freeing");
    measure_idle((size_t)512 << 20, "dram.latency");
    if (device_free_bytes() > 16e9)   // more than the TLBs reach
        measure_idle((size_t)8 << 30, "dram.latency_8gib");
    cuda_must(cudaFree(out), "freeing");
}
