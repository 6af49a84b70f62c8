// The sum of partial tiles of stage 17, for stage 18.
#ifndef SPLIT_K_H
#define SPLIT_K_H

#include "old_pipeline.h"

#define MAX_PARTS 8     // split-K: parts per tile, at most
#define MIN_DEPTH 128   // depth of a part along K, at least
#define MAX_TAIL 1024   // tiles of the tail, at most; always fewer than the blocks at once

// Stores the sums of a part of a tile to slot `slot` of `partial`. A slot has BM x BN words: for
// each sum, one word per thread. Adjacent threads store adjacent words (coalesced).
template <int BM, int BN, int TM, int TN>
__device__ void store_partial_tile(float *partial, int slot, const float (&sum)[TM][TN])
{
    float *part = partial + (size_t)slot * (BM * BN) + threadIdx.x;
    for (int i = 0; i < TM * TN; i++)
        part[i * THREADS] = sum[i / TN][i % TN];
}

// The reverse: sum = the part in slot `slot`, or sum += the part if `add`.
template <int BM, int BN, int TM, int TN>
__device__ void load_partial_tile(float (&sum)[TM][TN], const float *partial, int slot, bool add)
{
    const float *part = partial + (size_t)slot * (BM * BN) + threadIdx.x;
    for (int i = 0; i < TM * TN; i++)
        sum[i / TN][i % TN] = (add ? sum[i / TN][i % TN] : 0) + part[i * THREADS];
}
#endif
