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
// Expect (cpu, 1048576): shared_requests >= 1.3 * stage11.shared_requests
#include "ring.h"

using stage10::sum_between;
using stage11::Ring, stage11::Place, stage11::load_tiles, stage11::tile_vector;
using stage11::warp_arrive, stage11::launch_ring, stage11::BUFFERS, stage11::SCANNERS;
using stage3::lanes_before, stage3::warp_scan;
using stage4::store_vector, stage4::vec16, stage4::vector_scan, stage4::vector_sum;
using stage8::publish, stage8::published, stage8::take_ticket, stage8::launch_number,
    stage9::warp_sum;

constexpr int REDUCERS = 4;   // warps
constexpr int BLOCK = 32 * (2 + REDUCERS + SCANNERS);

// Warp `reducer` sums chunks of each tile. Warp 0 publishes the sum of the tile.
template <class T>
__device__ void sum_chunks(Ring<T> &ring, const T *in, long long n, int tiles, published *shared,
                           unsigned launch, int reducer)
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
__device__ void look_ahead(Ring<T> &ring, int tiles, published *shared, unsigned launch)
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
__device__ void scan_chunks(Ring<T> &ring, const T *in, T *out, long long n, bool exclusive,
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

void scan(const void *in, void *out, long long n, enum type type, int exclusive)
{
    BY_TYPE(type, scan_array, in, out, n, exclusive);
}
