// stage2: work-efficient scan in two sweeps over a tree (Blelloch), with padding
//
// Stage 1 makes n log2(n) additions. A tree makes 2 n: up-sweep, the sums of pairs, then of pairs
// of pairs, as in week 2; down-sweep, a parent hands its sum before to its left child, and this
// plus the left child's sum to the right child.
//
//   up      0   0..1   2   0..3   4   4..5   6   0..7    s = 1, 2, 4: word i adds word i - s
//   clear   0   0..1   2   0..3   4   4..5   6    -      the root has nothing before it
//   s = 4   0   0..1   2    -     4   4..5   6   0..3    word i - s gets word i;
//   s = 2   0    -     2   0..1   4   0..3   6   0..5    word i gets the sum of both
//   s = 1   -    0   0..1  0..2 0..3  0..4 0..5  0..6    the sum before each element
//
// Words 2 s apart share banks, so word i is stored at i + i / 32 (PAD=0: without this). Look at:
// wavefronts per shared-memory request, 1; with PAD=0, 4.4. On an H200 this is slower than stage 1.
// make stage2 && ./stage2        make stage2 PAD=0        make diff A=1 B=2
// Expect (cpu, 262144): shared_requests <= 0.9 * stage1.shared_requests
#include "scan.h"

#define BLOCK 1024   // threads, and elements of a tile
#ifndef PAD
#define PAD 1   // words after each 32 words
#endif

// Where word i of the tile is stored.
__device__ inline int at(int i) { return i + PAD * (i / 32); }

// Returns the sum of the elements of the threads before this one, and in *total that of all threads
// of the block. Each thread has one element.
template <class T> __device__ T block_scan(T element, T *total)
{
    __shared__ T smem[BLOCK + PAD * (BLOCK / 32)], root;
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
    return smem[at(tid)];   // no other thread writes this word in the next call before a barrier
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
