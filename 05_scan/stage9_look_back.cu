// stage9: decoupled look-back: a warp adds the sums of the tiles before (Merrill and Garland)
//
// In stage 8 a block can pass on a sum only after its predecessor has. Here each block publishes
// the sum of its own tile at once. Then a warp looks at the 32 tiles before, one per lane, and adds
// their sums back to the first that has published the sum of all tiles up to it; else 32 further.
//
//   tile        ...  3     4     5     6     7: this block       P: sum of tiles 0 to t
//   published        P     A     A     A                         A: sum of tile t
//   added            P  +  A  +  A  +  A  =  before 7            then 7 publishes P
//
// The flag is twice the number of the launch, plus 1 for P. For floats, the order of additions, and
// so the rounding, differs from run to run. Look at: the rate; the traffic is that of stage 8. The
// chain is gone, but a block loads, waits and stores in turn: stage 6 is still faster.
// make stage9 && ./stage9        make diff A=8 B=9
// Expect (cpu, 262144): kernels == 1
// Expect (cpu, 262144): st_requests == 2048 + 2 * 64 + 1
#include "scans.h"

using stage3::block_scan;
using namespace stage4;   // vec16 and its functions
using namespace stage8;   // published, publish(), look_at(), launch_number(), take_ticket()

#ifndef BLOCK
#define BLOCK 1024   // threads
#endif

// Returns the sum over a warp. All 32 lanes call it, and all get the sum.
template <class T> __device__ T warp_sum(T sum)
{
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, s);
    return sum;
}

// Publishes `total`, the sum of `tile`, and returns the sum of all tiles before. All lanes of a
// warp call it.
template <class T> __device__ T look_back(published *shared, int tile, T total, unsigned launch)
{
    int lane = threadIdx.x % 32, first = tile;
    T before = 0;
    unsigned complete;   // the lanes whose tiles have the sum of all tiles up to them

    if (lane == 0)
        publish(shared, tile, total, 2 * launch);
    do {
        first -= 32;
        int mine = first + 31 - lane;   // lane 0: the nearest tile
        T sum = 0;
        unsigned flag = 2 * launch + 1;   // of tiles below 0, the sum is 0
        while (mine >= 0 && (flag = look_at(shared, mine, &sum)) / 2 != launch)
            ;
        complete = __ballot_sync(0xffffffff, flag % 2);
        bool counts = !(complete & ((1u << lane) - 1));   // no nearer tile is complete
        before += warp_sum(counts ? sum : 0);
    } while (!complete);
    if (lane == 0)
        publish(shared, tile, before + total, 2 * launch + 1);
    return before;
}

template <class T>
__global__ void scan_tiles(const T *in, T *out, long long n, bool exclusive, published *shared)
{
    const int WIDTH = vec16<T>::WIDTH, TILE = BLOCK * WIDTH;
    __shared__ T warp_sums[32], before_tile;
    __shared__ unsigned ticket, launch;

    if (threadIdx.x == 0) {
        launch = launch_number(shared);
        ticket = take_ticket(shared, launch);
    }
    __syncthreads();
    long long i = (long long)ticket * TILE + threadIdx.x * WIDTH;
    vec16<T> v = load_vector(in, i, n);
    T total, sum = block_scan(vector_sum(v), &total, warp_sums);
    if (threadIdx.x < 32)
        before_tile = look_back(shared, ticket, total, launch);
    __syncthreads();
    store_vector(out, i, n, vector_scan(v, before_tile + sum, exclusive));
}

template <class T> void scan_array(const T *in, T *out, long long n, bool exclusive)
{
    int tiles = (int)ceil_div(n, BLOCK * vec16<T>::WIDTH);
    published *shared = (published *)scratch(sizeof(published) + tiles * sizeof(T) * 2);

    scan_tiles<<<tiles, BLOCK>>>(in, out, n, exclusive, shared);
}

void scan(const void *in, void *out, long long n, enum type type, int exclusive)
{
    BY_TYPE(type, scan_array, in, out, n, exclusive);
}
