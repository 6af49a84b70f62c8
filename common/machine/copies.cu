// Asynchronous copies from global to shared memory: cp.async, and Hopper's bulk copies (TMA). The
// source is in L2.
#include "machine.h"

#include "../stage/ptx.h"
#include "../stage/tensormap.h"

enum { ROUNDS = 32, MOST = 160 << 10, WARPS = 4, DEPTH = 4, REGION = 64 << 10 };

// Each thread copies 16 bytes and waits for them.
// SASS: 12async_copies LDGSTS 1
static __global__ void async_copies(int rounds, const char *from, cycle *cycles)
{
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 800
    extern __shared__ __align__(1024) char tile[];
    unsigned to = (unsigned)__cvta_generic_to_shared(tile + threadIdx.x * 16);
    const char *at = from + threadIdx.x * 16;

    timed(rounds, cycles, [=] {
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n\t"
                     "cp.async.commit_group;\n\tcp.async.wait_group 0;" ::"r"(to),
                     "l"(at)
                     : "memory");
    });
#endif
}

#ifdef HAS_BULK_COPIES
// Initializes `n` barriers for one arrival each. One thread calls it.
__device__ inline void init(uint64_t *barrier, int n)
{
    for (int i = 0; i < n; i++)
        mbarrier_init(&barrier[i], 1);
    fence_proxy_async();
}
#endif

// One thread copies `bytes` bytes and waits for them.
// SASS: 11bulk_copies UBLKCP 1
static __global__ void bulk_copies(int rounds, const char *from, int bytes, cycle *cycles)
{
#ifdef HAS_BULK_COPIES
    extern __shared__ __align__(1024) char tile[];
    __shared__ uint64_t barrier;
    int parity = 0;

    init(&barrier, 1);
    timed(rounds, cycles, [&] {
        mbarrier_arrive_expect_tx(&barrier, bytes);
        bulk_load(tile, from, bytes, &barrier);
        mbarrier_wait(&barrier, parity);
        parity ^= 1;
    });
#endif
}

// The same with a box of a tensor: 32 rows of 128 bytes.
// SASS: 10box_copies UTMALDG 1
static __global__ void box_copies(int rounds, const __grid_constant__ CUtensorMap map,
                                  cycle *cycles)
{
#ifdef HAS_BULK_COPIES
    extern __shared__ __align__(1024) char tile[];
    __shared__ uint64_t barrier;
    int parity = 0;

    init(&barrier, 1);
    timed(rounds, cycles, [&] {
        mbarrier_arrive_expect_tx(&barrier, 4096);
        tma_load_2d(tile, &map, 0, 0, &barrier);
        mbarrier_wait(&barrier, parity);
        parity ^= 1;
    });
#endif
}

// One thread of each warp keeps DEPTH copies of `bytes` bytes in flight, from the block's region.
// SASS: 11bulk_stream UBLKCP 1
static __global__ void bulk_stream(int rounds, const char *from, int bytes, cycle *cycles)
{
#ifdef HAS_BULK_COPIES
    extern __shared__ __align__(1024) char tile[];
    __shared__ uint64_t barriers[WARPS][DEPTH];
    int warp = threadIdx.x / 32;
    uint64_t *barrier = barriers[warp];
    char *to = tile + warp * DEPTH * bytes;
    unsigned step = 0, at = warp * bytes;

    if (threadIdx.x % 32 == 0)
        init(barrier, DEPTH);
    timed(rounds, cycles, [&] {
        unsigned i = step % DEPTH;
        if (threadIdx.x % 32 == 0) {
            if (step >= DEPTH)
                mbarrier_wait(&barrier[i], (step / DEPTH - 1) & 1);
            mbarrier_arrive_expect_tx(&barrier[i], bytes);
            bulk_load(to + i * bytes, from + blockIdx.x * REGION + at % REGION, bytes, &barrier[i]);
        }
        at += WARPS * bytes;
        step++;
    });
    if (threadIdx.x % 32 == 0)
        for (unsigned i = step; i < step + DEPTH; i++)
            mbarrier_wait(&barrier[i % DEPTH], (i / DEPTH - 1) & 1);
#endif
}

static char *data;

static void measure_bulk(void)
{
    cuda_must(cudaFuncSetAttribute(bulk_copies, cudaFuncAttributeMaxDynamicSharedMemorySize, MOST),
              "raising the limit of shared memory");
    cuda_must(cudaFuncSetAttribute(bulk_stream, cudaFuncAttributeMaxDynamicSharedMemorySize, MOST),
              "raising the limit of shared memory");
    for (int bytes : { 16, 128, 1024, 4096, 16384, 65536 })
        record(text_of("tma.bulk_%dbytes.latency", bytes), "cycles",
               cycles_per_round(1, ROUNDS, [=](int rounds, cycle *cycles) {
                   bulk_copies<<<1, 1, MOST>>>(rounds, data, bytes, cycles);
               }));
    cycle *cycles = demo_allocate<cycle>(gpu.sms);
    for (int bytes : { 1024, 4096, 8192 }) {
        record(text_of("tma.bulk_%dbytes.one_sm", bytes), "bytes/cycle",
               per_sample(WARPS * bytes,
                          cycles_per_round(1, 16 * ROUNDS, [=](int rounds, cycle *cycles) {
                              bulk_stream<<<1, 32 * WARPS, MOST>>>(rounds, data, bytes, cycles);
                          })));
        record(
            text_of("tma.bulk_%dbytes.all_sms", bytes), "GB/s",
            per_sample(1e-3 * WARPS * bytes * gpu.sms, us_per_round(32 * ROUNDS, [=](int rounds) {
                           bulk_stream<<<gpu.sms, 32 * WARPS, MOST>>>(rounds, data, bytes, cycles);
                       })));
    }
    cuda_must(cudaFree(cycles), "freeing");
    CUtensorMap map = *tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, data, 1024, 1024, 32, 32,
                                     CU_TENSOR_MAP_SWIZZLE_128B);
    record("tma.box_4096bytes.latency", "cycles",
           cycles_per_round(1, ROUNDS, [=](int rounds, cycle *cycles) {
               box_copies<<<1, 1, 8192>>>(rounds, map, cycles);
           }));
}

void measure_copies(void)
{
    data = demo_allocate<char>((size_t)std::max(gpu.sms, 64) * REGION);
    if (gpu.sm >= 80)
        record("async.copy_16bytes.latency", "cycles",
               cycles_per_round(gpu.sms, ROUNDS, [=](int rounds, cycle *cycles) {
                   async_copies<<<gpu.sms, 32, 4096>>>(rounds, data, cycles);
               }));
    if (gpu.sm >= 90)
        measure_bulk();
    cuda_must(cudaFree(data), "freeing");
}
