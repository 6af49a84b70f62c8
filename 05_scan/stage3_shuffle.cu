// stage3: scan by warp shuffles, one barrier per tile
//
// Stage 2 has 21 barriers per tile. Here the lanes of a warp scan in registers, by the steps of
// stage 1 without a barrier: a warp executes a shuffle for all lanes at once. Each warp stores its
// sum, and after a barrier every warp scans the 32 sums itself.
//
//   __shfl_up_sync(mask, sum, 1):  lane 31 += lane 30, ... lane 1 += lane 0; then 2, 4, 8, 16
//
//   32 warps: 32 elements -> 1 sum each -> warp_sums[0..31]   barrier   each warp: 32 sums -> scan
//
// The scan of the sums is done 32 times, which takes no longer than once, and saves a second
// barrier. Two arrays in turn save the one between tiles. Look at: barriers, 1 per tile; shared
// requests, 2 per warp.
// make stage3 && ./stage3        make diff A=2 B=3
// Expect (cpu, 262144): barriers == 32 * 256
// Expect (cpu, 262144): shared_requests == 2 * barriers
#include "scan.h"

#define BLOCK 1024   // threads, and elements of a tile

// Returns the sum of the elements of lanes 0 to this one. All 32 lanes call it.
template <class T> __device__ T warp_scan(T sum)
{
    int lane = threadIdx.x % 32;

    for (int s = 1; s < 32; s *= 2) {
        T below = __shfl_up_sync(0xffffffff, sum, s);   // the sum of the lane s below
        if (lane >= s)
            sum += below;
    }
    return sum;
}

// Returns the sum of the lanes before this one, of their inclusive sums.
template <class T> __device__ T lanes_before(T inclusive)
{
    T before = __shfl_up_sync(0xffffffff, inclusive, 1);
    return threadIdx.x % 32 > 0 ? before : 0;
}

// Returns the sum of the elements of the threads before this one, and in *total that of all threads
// of the block. Each thread has one element. Two calls with the same warp_sums have a barrier
// between them.
template <class T> __device__ T block_scan(T element, T *total, T *warp_sums)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    T sum = warp_scan(element);

    if (lane == 31)
        warp_sums[warp] = sum;   // of the whole warp
    __syncthreads();
    int warps = blockDim.x / 32;
    T scanned = warp_scan(lane < warps ? warp_sums[lane] : 0);   // lane l: the sum of warps 0 to l
    *total = __shfl_sync(0xffffffff, scanned, 31);
    T before = __shfl_sync(0xffffffff, lanes_before(scanned), warp);
    return before + lanes_before(sum);
}

template <class T> __global__ void scan_tiles(const T *in, T *out, long long n, bool exclusive)
{
    __shared__ T warp_sums[2][32];   // of this tile, and of the one before
    T carry = 0;                     // the sum of the tiles before

    for (long long tile = 0; tile < n; tile += BLOCK) {
        long long i = tile + threadIdx.x;   // the element of this thread
        T element = i < n ? in[i] : 0, total;
        T *sums = warp_sums[tile / BLOCK % 2];
        T sum = carry + block_scan(element, &total, sums);   // of the elements before i

        if (i < n)
            out[i] = exclusive ? sum : sum + element;
        carry += total;
    }
}

template <class T> void scan_array(const T *in, T *out, long long n, bool exclusive)
{
    scan_tiles<<<1, BLOCK>>>(in, out, n, exclusive);
}

void scan(const void *in, void *out, long long n, enum type type, int exclusive)
{
    BY_TYPE(type, scan_array, in, out, n, exclusive);
}
