// The last-block pattern of week 2, for parts of tiles.
#ifndef LAST_PART_H
#define LAST_PART_H

// Adds `count` to *finished. True in the block that makes it `all`: it may read what the others
// stored, and *finished is 0 again.
__device__ inline bool is_last_part(int *finished, int count, int all)
{
    __threadfence();   // the part is visible before it is counted
    __syncthreads();
    bool last = __syncthreads_or(threadIdx.x == 0 && atomicAdd(finished, count) == all - count);
    if (last && threadIdx.x == 0)
        *finished = 0;
    __threadfence();   // no part is read before it was counted, nor from an old line of L1
    return last;
}

#endif
