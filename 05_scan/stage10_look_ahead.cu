// stage10: persistent blocks that know the sum up to their last tile (look-ahead)
//
// In stage 9 a block waits until some tile before its own has the sum of all tiles up to it. Here a
// block takes tiles b, b + G, b + 2 G, ... of G blocks. It knows the sum up to its own last tile.
// So it needs only the sums of the G - 1 tiles between, which their blocks publish early.
//
//   tile     ...  b    b+1   b+2  ...  b+G-1    b+G
//   sums     known  +   A  +  A  + ... + A    =  before b + G         A: sum of one tile
//
// No other sum is published. Thus the additions have the same order in each run: floats, too, have
// the same bits. A block waits for blocks of lower and of higher number: a cooperative launch
// starts all of them, or none. Look at: the words that are published, one per tile in place of two.
// Not faster than stage 9: a block of each still loads, waits and stores, one after the other.
// make stage10 && ./stage10        make diff A=9 B=10
// Expect (cpu, 262144): st_requests == stage9.st_requests - 64
#include "scans.h"

using stage3::block_scan;
using namespace stage4;   // vec16 and its functions
using namespace stage8;   // published, publish(), look_at(), launch_number(), take_ticket()
using stage9::warp_sum;

#define BLOCK 1024           // threads, 1 block per SM: a thread has too many registers for 2
constexpr int AT_ONCE = 5;   // tiles that a lane looks at together

// Returns the sum of the tiles from `first` to `end` - 1. All lanes of a warp call it.
template <class T> __device__ T sum_between(published *from, int first, int end, unsigned launch)
{
    T sum = 0;

    for (int t = first + threadIdx.x % 32; t < end; t += 32 * AT_ONCE) {
        T value[AT_ONCE] = {};
        bool all;
        do {
            all = true;
            for (int k = 0; k < AT_ONCE; k++)
                all &= t + 32 * k >= end || look_at(from, t + 32 * k, &value[k]) / 2 == launch;
        } while (!all);
        for (int k = 0; k < AT_ONCE; k++)
            sum += value[k];
    }
    return warp_sum(sum);
}

template <class T>
__global__ void __launch_bounds__(BLOCK, 1)
    scan_tiles(const T *in, T *out, long long n, bool exclusive, published *shared)
{
    const int WIDTH = vec16<T>::WIDTH, TILE = BLOCK * WIDTH;
    __shared__ T warp_sums[2][32], before_tile;
    int tiles = (int)ceil_div(n, TILE), G = gridDim.x, turn = 0;
    T known = 0;   // warp 0: the sum of all tiles up to the last one of this block

    unsigned launch = launch_number(shared);
    __syncthreads();   // all threads have read it
    if (threadIdx.x == 0)
        take_ticket(shared, launch);
    for (int tile = blockIdx.x; tile < tiles; tile += G, turn ^= 1) {
        long long i = (long long)tile * TILE + threadIdx.x * WIDTH;
        vec16<T> v = load_vector(in, i, n);
        T total, sum = block_scan(vector_sum(v), &total, warp_sums[turn]);
        if (threadIdx.x < 32) {
            if (threadIdx.x == 0)
                publish(shared, tile, total, 2 * launch);
            known += sum_between<T>(shared, max(tile - G + 1, 0), tile, launch);
            before_tile = known;
            known += total;
        }
        __syncthreads();
        store_vector(out, i, n, vector_scan(v, before_tile + sum, exclusive));
    }
}

template <class T> void scan_array(const T *in, T *out, long long n, bool exclusive)
{
    int tiles = (int)ceil_div(n, BLOCK * vec16<T>::WIDTH);
    published *shared = (published *)scratch(sizeof(published) + tiles * sizeof(T) * 2);
    void *arguments[] = { &in, &out, &n, &exclusive, &shared };

    cudaLaunchCooperativeKernel(scan_tiles<T>, min(tiles, multiprocessors()), BLOCK, arguments, 0,
                                cudaStreamPerThread);
}

void scan(const void *in, void *out, long long n, enum type type, int exclusive)
{
    BY_TYPE(type, scan_array, in, out, n, exclusive);
}
