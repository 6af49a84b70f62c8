// The multistage pipeline of stages 11 and 12: buffers for tiles in shared memory. What the two
// show and later stages use is in namespaces, as in scans.h.
#ifndef RING_H
#define RING_H

#include "scans.h"

#ifndef BUFFERS
#define BUFFERS 6
#endif

namespace ring {
using namespace stage4;
using namespace stage8;
using stage9::warp_sum;

constexpr int TILE_BYTES = 32768;
constexpr int SCANNERS = 8;   // warps, and chunks of a tile

// An incomplete tile ends with zeros. mbarriers: full, the tile is here; summed, so are the sums of
// its chunks; ready, so is `before`, the sum of all tiles before; empty, the buffer is free.
template <class T> struct Ring {
    static const int TILE = TILE_BYTES / sizeof(T), CHUNK = TILE / SCANNERS;   // elements
    alignas(16) T tile[BUFFERS][TILE];
    T chunk_sum[BUFFERS][SCANNERS], before[BUFFERS];
    uint64_t full[BUFFERS], summed[BUFFERS], ready[BUFFERS], empty[BUFFERS];

    // Returns the number of the launch. All threads call it first. The arrivals that end a phase:
    // `summing` when the sums are here, `knowing` when `before` is.
    __device__ unsigned start(published *shared, int summing, int knowing)
    {
        if (threadIdx.x == 0) {
            for (int at = 0; at < BUFFERS; at++) {
                mbarrier_init(&full[at], 1 + 32);
                mbarrier_init(&summed[at], summing);
                mbarrier_init(&ready[at], knowing);
                mbarrier_init(&empty[at], SCANNERS);
            }
            fence_proxy_async();   // bulk copies must see the initialized mbarriers
        }
        cudaTriggerProgrammaticLaunchCompletion();   // for stage 13
        cudaGridDependencySynchronize();
        unsigned launch = launch_number(shared);
        __syncthreads();                     // all threads have read the number of the launch
        if (threadIdx.x == blockDim.x - 1)   // which waits for the first tile
            take_ticket(shared, launch);
        return launch;
    }

    // Loads the tile that starts at in[start]: whole vectors by a bulk copy, the rest by the lanes
    // of a warp, all of which call it.
    __device__ void load(int at, const T *in, long long start, long long n)
    {
        const int WIDTH = vec16<T>::WIDTH;
        int lane = threadIdx.x % 32, bulk = (int)min(n - start, (long long)TILE) / WIDTH * WIDTH;

        if (lane == 0) {
            mbarrier_arrive_expect_tx(&full[at], bulk * sizeof(T));
            if (bulk)
                bulk_load(tile[at], &in[start], bulk * sizeof(T), &full[at]);
        }
        for (int i = bulk + lane * WIDTH; i < TILE; i += 32 * WIDTH)
            *(vec16<T> *)&tile[at][i] = load_vector(in, start + i, n);
        mbarrier_arrive(&full[at]);   // each lane, for what it has stored
    }

    // Sums a chunk of a tile. All lanes of a warp call it.
    __device__ void sum_chunk(int at, int chunk)
    {
        const int WIDTH = vec16<T>::WIDTH;
        T sum = 0;

        for (int i = threadIdx.x % 32 * WIDTH; i < CHUNK; i += 32 * WIDTH)
            sum += vector_sum(*(vec16<T> *)&tile[at][chunk * CHUNK + i]);
        sum = warp_sum(sum);
        if (threadIdx.x % 32 == 0)
            chunk_sum[at][chunk] = sum;
    }

    // The same of the tile, from the sums of its chunks.
    __device__ T total(int at)
    {
        int lane = threadIdx.x % 32;
        return warp_sum(lane < SCANNERS ? chunk_sum[at][lane] : 0);
    }

    // The sum of all elements before a chunk.
    __device__ T sum_before(int at, int chunk)
    {
        T sum = before[at];
        for (int c = 0; c < chunk; c++)
            sum += chunk_sum[at][c];
        return sum;
    }
};

// A tile of this block, its buffer, and the parity of the phase of the buffer's mbarriers.
struct Place {
    int tile = blockIdx.x, at = 0, parity = 0;

    __device__ void next()
    {
        tile += gridDim.x;
        at = at + 1 == BUFFERS ? 0 : at + 1;
        parity ^= at == 0;
    }
};

// Arrives for a warp, all lanes of which call it.
__device__ inline void warp_arrive(uint64_t *barrier)
{
    __syncwarp();
    if (threadIdx.x % 32 == 0)
        mbarrier_arrive(barrier);
}

// Starts a kernel whose blocks have a ring, one block of `threads` threads per SM: all of them or
// none. Or, with `overlap`, perhaps before the kernel before it has ended: see stage 13.
template <class T, class Kernel>
void launch_ring(Kernel *kernel, int threads, const T *in, T *out, long long n, bool exclusive,
                 bool overlap = false)
{
    int tiles = (int)ceil_div(n, Ring<T>::TILE), bytes = sizeof(Ring<T>);
    published *shared = (published *)scratch(sizeof(published) + tiles * sizeof(T) * 2);
    cudaLaunchAttribute how;
    cudaLaunchConfig_t config = { dim3(min(tiles, multiprocessors())),
                                  dim3(threads),
                                  sizeof(Ring<T>),
                                  cudaStreamPerThread,
                                  &how,
                                  1 };

    if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes))
        return refuse("not enough shared memory");
    how.id = overlap ? cudaLaunchAttributeProgrammaticStreamSerialization
                     : cudaLaunchAttributeCooperative;
    if (overlap)
        how.val.programmaticStreamSerializationAllowed = 1;
    else
        how.val.cooperative = 1;
    cudaLaunchKernelEx(&config, kernel, in, out, n, exclusive, shared);
}
}   // namespace ring

namespace stage11 {
using namespace ring;
using namespace stage8;

template <class T> __device__ void load_tiles(Ring<T> &ring, const T *in, long long n, int tiles)
{
    for (Place p; p.tile < tiles; p.next()) {
        mbarrier_wait(&ring.empty[p.at], p.parity ^ 1);   // the phase before the first has ended
        ring.load(p.at, in, (long long)p.tile * ring.TILE, n);
    }
}

// Waits for the sums of the chunks, publishes the sum of the tile, and returns it. A warp calls it.
template <class T>
__device__ T publish_total(Ring<T> &ring, const Place &p, published *shared, unsigned launch)
{
    mbarrier_wait(&ring.summed[p.at], p.parity);
    T total = ring.total(p.at);
    if (threadIdx.x % 32 == 0)
        publish(shared, p.tile, total, 2 * launch);
    return total;
}
}   // namespace stage11

namespace stage12 {
using namespace ring;
using namespace stage8;
using stage10::sum_between, stage11::load_tiles, stage11::publish_total;

constexpr int REDUCERS = 4;   // warps
constexpr int BLOCK = 32 * (2 + REDUCERS + SCANNERS);

// Warp `reducer` sums chunks of each tile. Warp 0 publishes the sum of the tile.
template <class T>
__device__ void sum_chunks(Ring<T> &ring, int tiles, published *shared, unsigned launch,
                           int reducer)
{
    for (Place p; p.tile < tiles; p.next()) {
        mbarrier_wait(&ring.full[p.at], p.parity);
        for (int chunk = reducer; chunk < SCANNERS; chunk += REDUCERS)
            ring.sum_chunk(p.at, chunk);
        warp_arrive(&ring.summed[p.at]);
        if (reducer > 0)
            continue;
        publish_total(ring, p, shared, launch);
        warp_arrive(&ring.ready[p.at]);   // has read the sums of the chunks
    }
}

template <class T>
__device__ void look_ahead(Ring<T> &ring, int tiles, published *shared, unsigned launch)
{
    T known = 0;   // the sum of all tiles up to the last one of this block

    for (Place p; p.tile < tiles; p.next()) {
        known += sum_between<T>(shared, max(p.tile - (int)gridDim.x + 1, 0), p.tile, launch);
        mbarrier_wait(&ring.summed[p.at], p.parity);
        if (threadIdx.x % 32 == 0)
            ring.before[p.at] = known;
        known += ring.total(p.at);
        warp_arrive(&ring.ready[p.at]);
    }
}

// Warp `scanner` scans and stores its chunk of each tile.
template <class T>
__device__ void scan_chunks(Ring<T> &ring, T *out, long long n, bool exclusive, int tiles,
                            int scanner)
{
    const int ROWS = Ring<T>::CHUNK / Rows<T, 1>::ROW;
    int first = scanner * ring.CHUNK + threadIdx.x % 32 * vec16<T>::WIDTH;   // of lane's elements
    Rows<T, ROWS> rows;

    for (Place p; p.tile < tiles; p.next()) {
        mbarrier_wait(&ring.full[p.at], p.parity);
        rows.load(&ring.tile[p.at][first]);
        rows.scan();
        mbarrier_wait(&ring.summed[p.at], p.parity);
        mbarrier_wait(&ring.ready[p.at], p.parity);
        T before = ring.sum_before(p.at, scanner);
        warp_arrive(&ring.empty[p.at]);
        rows.store(out, (long long)p.tile * ring.TILE + first, n, before, exclusive);
    }
}

template <class T>
__global__ void __launch_bounds__(BLOCK, 1)
    scan_tiles(const T *in, T *out, long long n, bool exclusive, published *shared)
{
    extern __shared__ uint4 smem[];
    Ring<T> &ring = *(Ring<T> *)smem;
    int warp = threadIdx.x / 32, tiles = (int)ceil_div(n, ring.TILE);
    unsigned launch = ring.start(shared, REDUCERS, 2);

    if (warp == 0)
        load_tiles(ring, in, n, tiles);
    else if (warp == 1)
        look_ahead(ring, tiles, shared, launch);
    else if (warp < 2 + REDUCERS)
        sum_chunks(ring, tiles, shared, launch, warp - 2);
    else
        scan_chunks(ring, out, n, exclusive, tiles, warp - 2 - REDUCERS);
}
}   // namespace stage12

#endif
