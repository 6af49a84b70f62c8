// wrong: look-back with the sum and its flag in two words, and no fence. A block may see the flag
// of this launch, and the sum of an earlier one.
//
// Rejected: two_words\.cu:[0-9]+: race between blocks
#include "scans.h"

using stage3::block_scan;

#define BLOCK 256

template <class T> struct alignas(16) published {
    unsigned
        flag;   // twice the number of the launch, plus 1 for the sum of all tiles up to this one
    alignas(8) T sum;
};

template <class T> struct state {
    unsigned ticket, launch;
    published<T> tile[];
};

template <class T> __device__ void publish(published<T> *to, T sum, unsigned flag)
{
    to->sum = sum;
    *(volatile unsigned *)&to->flag = flag;
}

template <class T> __device__ T look_back(state<T> *from, int tile, unsigned launch)
{
    T before = 0;

    for (int t = tile - 1; t >= 0; t--) {
        unsigned flag;
        do
            flag = *(volatile unsigned *)&from->tile[t].flag;
        while (flag / 2 != launch);
        before += from->tile[t].sum;
        if (flag % 2)
            break;
    }
    return before;
}

template <class T>
__global__ void scan_tiles(const T *in, T *out, long long n, bool exclusive, state<T> *shared)
{
    __shared__ T warp_sums[32], before;
    __shared__ unsigned tile;
    unsigned launch = *(volatile unsigned *)&shared->launch + 1;

    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        tile = atomicInc(&shared->ticket, gridDim.x - 1);
        if (tile == gridDim.x - 1) {
            __threadfence();
            *(volatile unsigned *)&shared->launch = launch;
        }
    }
    __syncthreads();
    long long i = (long long)tile * BLOCK + threadIdx.x;
    T element = i < n ? in[i] : 0;
    T total, sum = block_scan(element, &total, warp_sums);
    if (threadIdx.x == 0) {
        publish(&shared->tile[tile], total, 2 * launch);
        before = look_back(shared, tile, launch);
        publish(&shared->tile[tile], before + total, 2 * launch + 1);
    }
    __syncthreads();
    if (i < n)
        out[i] = before + (exclusive ? sum : sum + element);
}

template <class T> void scan_array(const T *in, T *out, long long n, bool exclusive)
{
    int tiles = (int)ceil_div(n, BLOCK);
    size_t bytes = sizeof(state<T>) + tiles * sizeof(published<T>);

    scan_tiles<<<tiles, BLOCK>>>(in, out, n, exclusive, (state<T> *)scratch(bytes));
}

void scan(const void *in, void *out, long long n, enum type type, int exclusive)
{
    BY_TYPE(type, scan_array, in, out, n, exclusive);
}
