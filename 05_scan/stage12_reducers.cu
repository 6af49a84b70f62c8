// stage12: reducer warps publish the sums of the tiles ahead of the scanners
//
// In stage 11 the sum of a tile is known only when the scanners have stored the tile before. Then
// the next blocks wait for it. Here other warps read the tile first, and only sum. They run ahead
// as far as the ring allows, up to BUFFERS tiles. When the scanners come to a tile, the sums of all
// tiles before have long been published, and added.
//
//   producer     |load 0|load 1|load 2|load 3|load 4 ...
//   reducers            |sum 0 |sum 1 |sum 2 |sum 3 ...
//   look-ahead                 |before 0 |before 1 |before 2 ...
//   scanners                             |scan, store 0 |scan, store 1 ...
//
// A tile is read twice, but from shared memory. Look at: the rate, beside that of ref_memcpy.
// make stage12 && ./stage12        make diff A=11 B=12
// Needs: sm_90
// Expect (cpu, 262144): shared_requests >= 1.3 * stage11.shared_requests
#ifndef BUFFERS
#define BUFFERS 6   // of 32 KB
#endif
#include "ring.h"

using namespace ring;     // Ring, Place, Rows, SCANNERS, warp_arrive(), launch_ring()
using namespace stage8;   // published, publish()
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

template <class T> void scan_array(const T *in, T *out, long long n, bool exclusive)
{
    launch_ring(scan_tiles<T>, BLOCK, in, out, n, exclusive);
}

void scan(const void *in, void *out, long long n, enum type type, int exclusive)
{
    BY_TYPE(type, scan_array, in, out, n, exclusive);
}
