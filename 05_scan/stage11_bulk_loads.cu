// stage11: bulk copies into a multistage pipeline, with a producer warp and a look-ahead warp
//
// All warps of a block of stage 10 load, then wait for the sum before, then store. Here one block
// per SM gives these tasks to different warps (warp specialization), which work on different tiles.
// Shared memory has BUFFERS buffers, used in turn; mbarriers order who uses a buffer.
//
//   producer     bulk loads, up to BUFFERS tiles ahead                 -> full
//   scanners     a chunk per warp: scan rows in registers, sum         -> summed
//   look-ahead   publish the sum; add those of the tiles between       -> ready
//   scanners     add what is before, store; the buffer is free         -> empty
//
// A bulk load needs no registers, and no thread waits for it: BUFFERS x 32 KB are in flight per SM.
// make stage11 && ./stage11        make diff A=10 B=11
// Needs: sm_90
// Expect (cpu, 262144): bulk_ld_bytes == 4 * 262144
#include "ring.h"

using namespace ring;     // Ring, Place, Rows, SCANNERS, warp_arrive(), launch_ring()
using namespace stage8;   // published, publish()
using stage10::sum_between;

constexpr int BLOCK = 32 * (2 + SCANNERS);

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

template <class T>
__device__ void look_ahead(Ring<T> &ring, int tiles, published *shared, unsigned launch)
{
    T known = 0;   // the sum of all tiles up to the last one of this block

    for (Place p; p.tile < tiles; p.next()) {
        T total = publish_total(ring, p, shared, launch);
        known += sum_between<T>(shared, max(p.tile - (int)gridDim.x + 1, 0), p.tile, launch);
        if (threadIdx.x % 32 == 0)
            ring.before[p.at] = known;
        warp_arrive(&ring.ready[p.at]);
        known += total;
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
        T sum = rows.scan();
        if (threadIdx.x % 32 == 0)
            ring.chunk_sum[p.at][scanner] = sum;
        warp_arrive(&ring.summed[p.at]);
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
    unsigned launch = ring.start(shared, SCANNERS, 1);

    if (warp == 0)
        load_tiles(ring, in, n, tiles);
    else if (warp == 1)
        look_ahead(ring, tiles, shared, launch);
    else
        scan_chunks(ring, out, n, exclusive, tiles, warp - 2);
}

template <class T> void scan_array(const T *in, T *out, long long n, bool exclusive)
{
    launch_ring(scan_tiles<T>, BLOCK, in, out, n, exclusive);
}

void scan(const void *in, void *out, long long n, enum type type, int exclusive)
{
    BY_TYPE(type, scan_array, in, out, n, exclusive);
}
