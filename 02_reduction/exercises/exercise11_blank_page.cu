// exercise11: a blank page: a sum of your own, from the signature alone
//
// Task: do this after part 3. Only the function is given. Write kernels and launches for ints,
// floats and doubles, and any n. Decide first, on paper: which elements does a thread add, how do
// the threads of a block combine their sums, and how the blocks? Solved: each element is loaded
// once by coalesced loads, no more blocks than are resident at a time, one sum per block, and at
// most one barrier per block and launch, beside those of a ticket.
//
// Hint: What does a thread add before it talks to another thread? How far apart are its elements,
// if neighboring threads load neighboring ones?
// Hint: Five shuffles leave the sum of a warp in lane 0. Which words of shared memory hold the sums
// of 16 warps, and who adds them, after which barrier?
// Hint: One sum per block is left: a second launch of one block, an atomic on a result that was
// cleared first, or a ticket. An SM holds 2048 threads; multiprocessors() is the number of SMs.
//
// Points 3: correct
// Points 2 (cpu, 1048576): ld_sectors <= 131200 and ld_requests <= 33000
// Points 2 (cpu, 1048576): st_requests + atomic_requests <= 80 and warp_ld_requests <= 640
// Points 2 (cpu, 1048576): barriers <= 520 and shared_requests <= 1600
// Points 1 (gpu, 268435456): rate >= 0.85 * ref_cub.rate
// Check (cpu, 1048577, sms=5)
// Check (cpu, 300007, sms=132)
#include "reduction.h"

#ifdef SOLUTION
#define BLOCK 512
#define BLOCKS_PER_SM (2048 / BLOCK)

// Returns the sum of the 32 lanes, in lane 0. All lanes call it.
template <class T> __device__ T warp_sum(T sum)
{
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);
    return sum;
}

// Stores the sum of this block's elements in out[blockIdx.x].
template <class T> __global__ void reduce(const T *in, T *out, long long n)
{
    __shared__ T warp_sums[BLOCK / 32];
    int tid = threadIdx.x;
    T sum = 0;

    for (long long i = (long long)blockIdx.x * BLOCK + tid; i < n;
         i += (long long)gridDim.x * BLOCK)
        sum += in[i];
    sum = warp_sum(sum);
    if (tid % 32 == 0)
        warp_sums[tid / 32] = sum;
    __syncthreads();
    if (tid >= 32)
        return;
    sum = warp_sum(tid < BLOCK / 32 ? warp_sums[tid] : 0);
    if (tid == 0)
        out[blockIdx.x] = sum;
}

template <class T> void sum_array(const T *in, T *out, long long n)
{
    int blocks = (int)min(ceil_div(n, BLOCK), (long long)BLOCKS_PER_SM * multiprocessors());
    T *sums = (T *)scratch(blocks * sizeof(T));

    reduce<<<blocks, BLOCK>>>(in, sums, n);
    reduce<<<1, BLOCK>>>(sums, out, blocks);
}

#else
#endif
void reduction(const void *in, void *out, long long n, enum type type)
{
#ifdef SOLUTION
    BY_TYPE(type, sum_array, in, out, n);
#else
    // TODO: everything. BY_TYPE(type, f, in, out, n) calls your template f for the type.
    (void)in, (void)out, (void)n, (void)type;
#endif
}
