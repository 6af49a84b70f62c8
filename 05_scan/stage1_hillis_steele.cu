// stage1: parallel scan of a block in shared memory (Hillis and Steele)
//
// Stage 0 has one thread. Here a block scans a tile of BLOCK elements in log2(BLOCK) steps. In the
// step with distance s, thread t adds word t - s to word t. Then the block goes on to the next
// tile, with the sum of all tiles before as the carry.
//
//   smem    0     1     2     3     4     5     6     7         a..b: the sum of elements a to b
//   s = 1   0     0..1  1..2  2..3  3..4  4..5  5..6  6..7
//   s = 2   0     0..1  0..2  0..3  1..4  2..5  3..6  4..7
//   s = 4   0     0..1  0..2  0..3  0..4  0..5  0..6  0..7
//
// All threads read before any thread writes, so a step has two barriers. Look at: additions, n
// log2(n) in place of n; barriers, 22 per warp and tile. One SM works, the others are idle.
// make stage1 && ./stage1        make diff A=0 B=1
// Expect (cpu, 262144): ld_requests == stage0.ld_requests / 32
// Expect (cpu, 262144): barriers == 22 * 32 * 256
#include "scan.h"

#define BLOCK 1024   // threads, and elements of a tile

// Returns the sum of the elements of the threads before this one, and in *total that of all threads
// of the block. Each thread has one element.
template <class T> __device__ T block_scan(T element, T *total)
{
    __shared__ T smem[BLOCK];
    int tid = threadIdx.x;

    smem[tid] = element;
    __syncthreads();
    for (int s = 1; s < BLOCK; s *= 2) {
        T below = tid >= s ? smem[tid - s] : 0;
        __syncthreads();   // all have read
        smem[tid] += below;
        __syncthreads();   // all have written
    }
    T before = tid > 0 ? smem[tid - 1] : 0;
    *total = smem[BLOCK - 1];
    __syncthreads();   // the next call writes
    return before;
}

template <class T> __global__ void scan_tiles(const T *in, T *out, long long n, bool exclusive)
{
    T carry = 0;   // the sum of the tiles before

    for (long long tile = 0; tile < n; tile += BLOCK) {
        long long i = tile + threadIdx.x;   // the element of this thread
        T element = i < n ? in[i] : 0, total;
        T sum = carry + block_scan(element, &total);   // of the elements before i

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
