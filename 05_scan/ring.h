// What stages 11 and 12 show of the ring of tiles in shared memory, and later stages use. Each
// namespace is named after the stage that shows its contents, and has the same text, plus `inline`.
#ifndef RING_H
#define RING_H

#include "scans.h"

namespace stage11 {
using stage4::load_vector, stage4::vec16;
using stage8::published;

constexpr int BUFFERS = 6, TILE_BYTES = 32768;
constexpr int SCANNERS = 8;   // warps, and chunks of a tile
constexpr int BLOCK = 32 * (2 + SCANNERS);

template <class T> struct Ring {
    static const int TILE = TILE_BYTES / sizeof(T), CHUNK = TILE / SCANNERS;   // elements
    static const int ROW = 32 * vec16<T>::WIDTH, ROWS = CHUNK / ROW;           // of a chunk
    alignas(16) T tile[BUFFERS][TILE];
    T chunk_sum[BUFFERS][SCANNERS], before[BUFFERS];   // before: the sum of the tiles before
    uint64_t full[BUFFERS], summed[BUFFERS], ready[BUFFERS], empty[BUFFERS];
};

// A buffer of the ring, and the parity of the phase of its mbarriers.
struct Place {
    int at = 0, parity = 0;

    __device__ inline void next()
    {
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

// Element i of tile t, and those after it in its vector. An incomplete tile is not in the ring.
template <class T>
__device__ inline vec16<T> tile_vector(Ring<T> &ring, int at, const T *in, long long n, int t,
                                       int i)
{
    long long start = (long long)t * ring.TILE;

    return start + ring.TILE <= n ? *(const vec16<T> *)&ring.tile[at][i]
                                  : load_vector(in, start + i, n);
}

// The producer: one thread.
template <class T>
__device__ inline void load_tiles(Ring<T> &ring, const T *in, long long n, int tiles)
{
    Place p;

    for (int t = blockIdx.x; t < tiles; t += gridDim.x, p.next()) {
        long long start = (long long)t * ring.TILE;
        int bytes = start + ring.TILE <= n ? TILE_BYTES : 0;
        mbarrier_wait(&ring.empty[p.at], p.parity ^ 1);   // the phase before the first has ended
        mbarrier_arrive_expect_tx(&ring.full[p.at], bytes);
        if (bytes)
            bulk_load(ring.tile[p.at], &in[start], bytes, &ring.full[p.at]);
    }
}

// Starts a kernel whose blocks have a ring, one block of `threads` threads per SM.
template <class T, class Kernel>
void launch_ring(Kernel *kernel, int threads, const T *in, T *out, long long n, bool exclusive)
{
    int tiles = (int)ceil_div(n, Ring<T>::TILE), blocks = min(tiles, multiprocessors());
    published *shared = (published *)scratch(sizeof(published) + tiles * sizeof(T) * 2);
    void *arguments[] = { &in, &out, &n, &exclusive, &shared };

    if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             sizeof(Ring<T>)) != cudaSuccess)
        return refuse("not enough shared memory");
    cudaLaunchCooperativeKernel(kernel, blocks, threads, arguments, sizeof(Ring<T>),
                                cudaStreamPerThread);
}
}   // namespace stage11

namespace stage12 {
using namespace stage11;
using stage10::sum_between;
using stage3::lanes_before, stage3::warp_scan;
using stage4::store_vector, stage4::vector_scan, stage4::vector_sum;
using stage8::launch_number, stage8::publish, stage8::take_ticket;
using stage9::warp_sum;

constexpr int REDUCERS = 4;   // warps
constexpr int BLOCK = 32 * (2 + REDUCERS + SCANNERS);

// Warp `reducer` sums chunks of each tile. Warp 0 publishes the sum of the tile.
template <class T>
__device__ inline void sum_chunks(Ring<T> &ring, const T *in, long long n, int tiles,
                                  published *shared, unsigned launch, int reducer)
{
    int lane = threadIdx.x % 32;
    Place p;

    for (int t = blockIdx.x; t < tiles; t += gridDim.x, p.next()) {
        mbarrier_wait(&ring.full[p.at], p.parity);
        for (int chunk = reducer; chunk < SCANNERS; chunk += REDUCERS) {
            int first = chunk * ring.CHUNK + lane * vec16<T>::WIDTH;
            T sum = 0;
            for (int r = 0; r < ring.ROWS; r++)
                sum += vector_sum(tile_vector(ring, p.at, in, n, t, first + r * ring.ROW));
            sum = warp_sum(sum);
            if (lane == 0)
                ring.chunk_sum[p.at][chunk] = sum;
        }
        warp_arrive(&ring.summed[p.at]);
        if (reducer > 0)
            continue;
        mbarrier_wait(&ring.summed[p.at], p.parity);
        T total = warp_sum(lane < SCANNERS ? ring.chunk_sum[p.at][lane] : 0);
        if (lane == 0)
            publish(shared, t, total, 2 * launch);
        warp_arrive(&ring.ready[p.at]);   // has read the sums of the chunks
    }
}

template <class T>
__device__ inline void look_ahead(Ring<T> &ring, int tiles, published *shared, unsigned launch)
{
    int lane = threadIdx.x % 32;
    T known = 0;   // the sum of all tiles up to the last one of this block
    Place p;

    for (int t = blockIdx.x; t < tiles; t += gridDim.x, p.next()) {
        known += sum_between<T>(shared, max(t - (int)gridDim.x + 1, 0), t, launch);
        mbarrier_wait(&ring.summed[p.at], p.parity);
        T total = warp_sum(lane < SCANNERS ? ring.chunk_sum[p.at][lane] : 0);
        if (lane == 0)
            ring.before[p.at] = known;
        warp_arrive(&ring.ready[p.at]);
        known += total;
    }
}

// Warp `scanner` scans and stores its chunk of each tile.
template <class T>
__device__ inline void scan_chunks(Ring<T> &ring, const T *in, T *out, long long n, bool exclusive,
                                   int tiles, int scanner)
{
    const int ROW = Ring<T>::ROW, ROWS = Ring<T>::ROWS;
    int first = scanner * ring.CHUNK + threadIdx.x % 32 * vec16<T>::WIDTH;   // of lane's elements
    Place p;

    for (int t = blockIdx.x; t < tiles; t += gridDim.x, p.next()) {
        long long start = (long long)t * ring.TILE + first;
        vec16<T> v[ROWS];
        T scan[ROWS];   // inclusive, over the lanes

        mbarrier_wait(&ring.full[p.at], p.parity);
        for (int r = 0; r < ROWS; r++) {
            v[r] = tile_vector(ring, p.at, in, n, t, first + r * ROW);
            scan[r] = warp_scan(vector_sum(v[r]));
        }
        mbarrier_wait(&ring.summed[p.at], p.parity);
        mbarrier_wait(&ring.ready[p.at], p.parity);
        T before = ring.before[p.at];
        for (int chunk = 0; chunk < scanner; chunk++)
            before += ring.chunk_sum[p.at][chunk];
        warp_arrive(&ring.empty[p.at]);
        for (int r = 0; r < ROWS; r++) {
            T base = before + lanes_before(scan[r]);
            store_vector(out, start + r * ROW, n, vector_scan(v[r], base, exclusive));
            before += __shfl_sync(0xffffffff, scan[r], 31);
        }
    }
}

template <class T>
__global__ void __launch_bounds__(BLOCK, 1)
    scan_tiles(const T *in, T *out, long long n, bool exclusive, published *shared)
{
    extern __shared__ uint4 smem[];
    Ring<T> &ring = *(Ring<T> *)smem;
    int warp = threadIdx.x / 32, tiles = (int)ceil_div(n, ring.TILE);

    unsigned launch = launch_number(shared);
    if (threadIdx.x == 0) {
        for (int i = 0; i < BUFFERS; i++) {
            mbarrier_init(&ring.full[i], 1);
            mbarrier_init(&ring.summed[i], REDUCERS);
            mbarrier_init(&ring.ready[i], 2);
            mbarrier_init(&ring.empty[i], SCANNERS);
        }
        fence_proxy_async();   // bulk copies must see the initialized mbarriers
    }
    __syncthreads();                // all threads have read the number of the launch
    if (threadIdx.x == BLOCK - 1)   // which waits for the first tile
        take_ticket(shared, launch);
    if (threadIdx.x == 0)
        load_tiles(ring, in, n, tiles);
    else if (warp == 1)
        look_ahead(ring, tiles, shared, launch);
    else if (warp > 1 && warp < 2 + REDUCERS)
        sum_chunks(ring, in, n, tiles, shared, launch, warp - 2);
    else if (warp > 1)
        scan_chunks(ring, in, out, n, exclusive, tiles, warp - 2 - REDUCERS);
}

template <class T> void scan_array(const T *in, T *out, long long n, bool exclusive)
{
    launch_ring(scan_tiles<T>, BLOCK, in, out, n, exclusive);
}
}   // namespace stage12

#endif
