// The sum of partial tiles of stage 17, for stage 18.
#ifndef SPLIT_K_H
#define SPLIT_K_H

#include "pipeline.h"

#define MAX_PARTS 8     // split-K: parts per tile, at most
#define MIN_DEPTH 128   // depth of a part along K, at least
#define MAX_TAIL 1024   // tiles of the last wave, at most: one less than blocks at once

// A part of a tile, summed over some of its steps, in `partial`: one word per thread and sum.
template <int BM, int BN, int TM, int TN>
__device__ void store_partial_tile(float *partial, int slot, const float (&sum)[TM][TN])
{
    float *part = partial + (size_t)slot * (BM * BN) + threadIdx.x;
    for (int i = 0; i < TM * TN; i++)
        part[i * THREADS] = sum[i / TN][i % TN];
}

// sum = the part, or sum += the part if `add`.
template <int BM, int BN, int TM, int TN>
__device__ void load_partial_tile(float (&sum)[TM][TN], const float *partial, int slot, bool add)
{
    const float *part = partial + (size_t)slot * (BM * BN) + threadIdx.x;
    for (int i = 0; i < TM * TN; i++)
        sum[i / TN][i % TN] = (add ? sum[i / TN][i % TN] : 0) + part[i * THREADS];
}
#endif
