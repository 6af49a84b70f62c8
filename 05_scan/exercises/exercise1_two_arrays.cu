// exercise1: two arrays in turn: one barrier per step
//
// Task: do this after stage 1. A step of the scan in shared memory has two barriers: all threads
// read before any of them writes. Use two arrays: a step reads one and writes the other. Keep the
// additions as they are, without shuffles. Solved: right for any n, at most 13 barriers per tile.
//
// Hint: Which barrier separates the reads of a step from its writes? Is it needed if the writes go
// to an array that no thread reads in this step?
// Hint: In the next step the two arrays change places. A thread that has no word below it must
// write, too: what would its neighbor read otherwise?
// Hint: `turn ^= 1` selects the other array. After the last step, in which array are the sums? The
// next tile begins with a write to one of the arrays: which threads may still read it?
//
// Points 3: correct
// Points 3 (cpu, 131072): barriers <= 13 * 32 * 128 and barriers >= 10 * 32 * 128 and
//     exchanges == 0
// Points 3 (cpu, 131072): shared_requests >= 600 * 128 and shared_requests <= 1100 * 128 and
//     kernels == 1 and barriers <= 13 * 32 * 128
// Points 1 (gpu, 16777216): rate >= 0.005 * ref_memcpy.rate
// Check (cpu, 40001)
#include "scan.h"

#define BLOCK 1024   // threads, and elements of a tile

// Returns the sum of the elements of the threads before this one, and in *total that of all threads
// of the block. Each thread has one element.
template <class T> __device__ T block_scan(T element, T *total)
{
#ifdef SOLUTION
    __shared__ T smem[2][BLOCK];
    int tid = threadIdx.x, turn = 0;

    smem[0][tid] = element;
    __syncthreads();
    for (int s = 1; s < BLOCK; s *= 2) {
        T below = tid >= s ? smem[turn][tid - s] : 0;
        element += below;
        smem[turn ^ 1][tid] = element;
        __syncthreads();   // all have written
        turn ^= 1;
    }
    T before = tid > 0 ? smem[turn][tid - 1] : 0;
    *total = smem[turn][BLOCK - 1];
    __syncthreads();   // the next call writes
    return before;
#else
    __shared__ T smem[BLOCK];
    int tid = threadIdx.x;

    // TODO: two arrays in turn
    smem[tid] = element;
    __syncthreads();
    for (int s = 1; s < BLOCK; s *= 2) {
        T below = tid >= s ? smem[tid - s] : 0;
        smem[tid] += below;
        __syncthreads();
    }
    T before = tid > 0 ? smem[tid - 1] : 0;
    *total = smem[BLOCK - 1];
    return before;
#endif
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
