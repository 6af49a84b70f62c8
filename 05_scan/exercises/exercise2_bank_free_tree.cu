// exercise2: a tree without bank conflicts: where word i is stored
//
// Task: do this after stage 2, without looking at it again. The two sweeps over the tree access
// words 2 s apart. In steps with a large distance, all words of a request are in one bank. Change
// only at(): which place gives word i a separate bank in each step? The shared array has room for
// 33 / 32 of the words. As given, the places of two words are the same. Solved: right for any n, at
// most 1.1 wavefronts per shared-memory request.
//
// Hint: In the step with s = 16, thread t accesses word 32 (t + 1) - 1. Which bank is that, for
// each of the 32 threads?
// Hint: If each 32 words are followed by one that is not used, by how much do the banks of words i
// and i + 32 differ?
// Hint: How many unused words are before word i? It is a quotient.
//
// Points 3: correct
// Points 6 (cpu, 131072): shared_wavefronts <= 1.1 * shared_requests and
//     shared_requests >= 300 * 128 and exchanges == 0
// Points 1 (gpu, 16777216): rate >= 0.005 * ref_memcpy.rate
// Check (cpu, 40001)
#include "scan.h"

#define BLOCK 1024   // threads, and elements of a tile

// Where word i of the tile is stored.
__device__ inline int at(int i)
{
#ifdef SOLUTION
    return i + i / 32;
#else
    return i % 512;   // TODO: another place for each word, below BLOCK + BLOCK / 32
#endif
}

// Returns the sum of the elements of the threads before this one, and in *total that of all threads
// of the block. Each thread has one element.
template <class T> __device__ T block_scan(T element, T *total)
{
    __shared__ T smem[BLOCK + BLOCK / 32], root;
    int tid = threadIdx.x;

    smem[at(tid)] = element;
    for (int s = 1; s < BLOCK; s *= 2) {   // up-sweep
        int i = 2 * s * (tid + 1) - 1;     // the right child of a pair, the left one is i - s
        __syncthreads();
        if (i < BLOCK)
            smem[at(i)] += smem[at(i - s)];
    }
    if (tid == 0) {   // has added last
        root = smem[at(BLOCK - 1)];
        smem[at(BLOCK - 1)] = 0;
    }
    for (int s = BLOCK / 2; s > 0; s /= 2) {   // down-sweep
        int i = 2 * s * (tid + 1) - 1;
        __syncthreads();
        if (i < BLOCK) {
            T left = smem[at(i - s)];
            smem[at(i - s)] = smem[at(i)];
            smem[at(i)] += left;
        }
    }
    __syncthreads();
    *total = root;
    return smem[at(tid)];
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
