// Blocks: how fast they start, and block turnover: from the end of a block to the first instruction
// of the next one in its place on the SM.
#include <math.h>
#include <map>

#include "machine.h"

enum { SPIN = 2000, WAVES = 12 };

struct warp_times {
    cycle start, end;   // the first and the last instruction of the warp, cycles of its SM
    int sm, block;
};

// Each warp is busy for about SPIN cycles. Blocks differ, so that they do not end together.
static __global__ void spin(struct warp_times *times, int spin, uint4 *stored)
{
    extern __shared__ int unused[];   // its size limits the blocks per SM
    cycle start = clock64(), now;
    struct warp_times *to = times + (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    cycle until = start + spin + blockIdx.x * 37 % 61 * 16;
    int sm;

    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    do
        now = clock64();
    while (now < until);
    if (stored)
        stored[blockIdx.x * blockDim.x + threadIdx.x] = make_uint4(sm, 0, 0, 0);
    if (threadIdx.x % 32 == 0) {
        to->sm = sm;
        to->block = blockIdx.x;
        to->start = start;
        to->end = clock64();
    }
}

static __global__ void empty() {}

// The blocks of each SM: first start and last end of their warps.
static std::map<int, std::vector<struct warp_times>> blocks_of(const std::vector<warp_times> &warp,
                                                               int warps)
{
    std::map<int, std::vector<struct warp_times>> sm;

    for (size_t i = 0; i < warp.size(); i += warps) {
        struct warp_times block = warp[i];
        for (int w = 1; w < warps; w++) {
            block.start = std::min(block.start, warp[i + w].start);
            block.end = std::max(block.end, warp[i + w].end);
        }
        sm[block.sm].push_back(block);
    }
    return sm;
}

// In the order of time, the block that starts as number `resident` + k takes the place of the k-th
// block that ends.
static void turnovers(std::vector<struct warp_times> &block, int resident,
                      std::vector<double> &samples, std::vector<double> &starts)
{
    std::vector<cycle> start, end;

    for (const struct warp_times &b : block)
        start.push_back(b.start), end.push_back(b.end);
    std::sort(start.begin(), start.end());
    std::sort(end.begin(), end.end());
    for (size_t k = 0; k + resident < start.size(); k++)
        samples.push_back((double)(start[k + resident] - end[k]));
    if (resident > 1 && (int)start.size() >= resident)
        starts.push_back((double)(start[resident - 1] - start[0]) / (resident - 1));
}

static int shared_per_block(int resident, int warps)
{
    int most = demo_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin),
        all = demo_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor),
        reserved = demo_attribute(cudaDevAttrReservedSharedMemoryPerBlock);

    if (resident * warps * 32 >= demo_attribute(cudaDevAttrMaxThreadsPerMultiProcessor))
        return 0;
    return std::min(most, all / resident / 1024 * 1024 - reserved);
}

// `stores`: each thread stores 16 bytes, and then the block ends.
static void measure_turnover(int warps, int resident, bool stores)
{
    int shared = shared_per_block(resident, warps), blocks = gpu.sms * resident * WAVES, fit;
    struct warp_times *times = demo_allocate<struct warp_times>((size_t)blocks * warps);
    uint4 *stored = stores ? demo_allocate<uint4>((size_t)blocks * warps * 32) : NULL;
    std::vector<double> turnover, starts, warp_starts;
    const char *key = text_of("%dwarps_%dblocks%s", warps, resident, stores ? "_stores" : "");

    cuda_must(cudaFuncSetAttribute(spin, cudaFuncAttributeMaxDynamicSharedMemorySize, shared),
              "raising the limit of shared memory");
    cuda_must(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, spin, 32 * warps, shared),
              "asking for the blocks per SM");
    for (int i = 0; i < 3 && fit == resident; i++) {
        spin<<<blocks, 32 * warps, shared>>>(times, SPIN, stored);
        std::vector<struct warp_times> warp = demo_results(times, (size_t)blocks * warps);
        if (i == 0)
            continue;   // the first launch loads the code
        for (auto &sm : blocks_of(warp, warps))
            turnovers(sm.second, resident, turnover, starts);
        for (size_t b = 0; warps > 1 && b < (size_t)gpu.sms * warps; b += warps) {
            cycle first = warp[b].start, last = first;
            for (int w = 1; w < warps; w++)
                first = std::min(first, warp[b + w].start),
                last = std::max(last, warp[b + w].start);
            warp_starts.push_back((double)(last - first) / (warps - 1));
        }
    }
    if (!turnover.empty())
        record(text_of("turnover.%s", key), "cycles", turnover);
    if (!starts.empty() && !stores)
        record(text_of("blocks.start_%s", key), "cycles/block", starts);
    if (!warp_starts.empty() && resident == 1)
        record(text_of("blocks.warp_start_%dwarps", warps), "cycles/warp", warp_starts);
    cuda_must(cudaFree(times), "freeing");
    cuda_must(cudaFree(stored), "freeing");
}

void measure_blocks(void)
{
    static const int cases[][2] = { { 1, 1 },  { 4, 1 }, { 8, 1 }, { 16, 1 }, { 32, 1 },
                                    { 4, 4 },  { 8, 2 }, { 8, 4 }, { 16, 2 }, { 32, 2 },
                                    { 16, 4 }, { 8, 8 }, { 4, 16 } };

    for (int warps : { 1, 4, 8, 16, 32 }) {
        const int blocks = 1 << 17;

        record(text_of("blocks.rate_%dwarps", warps), "blocks/us",
               per_sample(blocks, times_of([=] { empty<<<blocks, 32 * warps>>>(); })));
    }
    for (auto &c : cases)
        measure_turnover(c[0], c[1], false);
    measure_turnover(8, 8, true), measure_turnover(32, 2, true);
}
