// stage15: cache hints (evict-first loads, and a part of the array that stays in L2)
//
// When calls repeat on an array somewhat larger than L2, stage 12 is as slow as with a flushed L2.
// Here the first vectors are loaded as before, and all others with __ldcs (load, cache streaming).
// L2 replaces those first (evict-first). So a part of the array is meant to stay:
//
//   array    |===== default policy =====|-------------- __ldcs --------------|
//   L2       |========== stays =========|--- passes through ---|
//
// The part has KEEP = 75 % of the size of L2; only arrays of one to two times L2 have it. Look at:
// the rate with --hot. KEEP=0 and KEEP=100: no gain.
// From: stage12
// make stage15 && ./stage15 -n 16777216 --hot        make diff A=12 B=15        make stage15 KEEP=0
// Expect (sm_90, 16777216, hot): rate >= 1.3 * stage12.rate
// Expect (H200, 16777216, hot): stage15[KEEP=0].rate <= 0.8 * rate
// Expect (H200, 16777216, hot): stage15[KEEP=100].rate <= 0.8 * rate
#include "sums.h"

using stage10::vec16;
using stage12::combine_blocks;
using stage12::partial_sums;
using stage8::block_sum;
using tiles::thread_sum;

#define BLOCK 512
#define BLOCKS_PER_SM (2048 / BLOCK)   // resident at a time: an SM of an H200 holds 2048 threads
#define LOADS 4
#ifndef KEEP
#define KEEP 75   // percent of L2 whose lines are meant to stay there
#endif

// Loads a vector with the hint. __ldcs takes only CUDA's own types: the 16 bytes come as a uint4.
template <class T> __device__ vec16<T> load_streaming(const vec16<T> *from)
{
    uint4 bits = __ldcs((const uint4 *)from);
    vec16<T> vector;

    memcpy(&vector, &bits, sizeof vector);   // costs nothing: the bytes stay in registers
    return vector;
}

// How thread_sum loads a vector. The choice depends on the start of the tile, so it is the same for
// all threads of a block.
struct load_kept {
    long long kept;   // tiles that start before this vector are meant to stay in L2

    template <class V> __device__ V operator()(const V *from, long long first) const
    {
        return first < kept ? *from : load_streaming(from);
    }
};

// Returns the number of vectors that are meant to stay in L2 for the next call.
inline long long kept_vectors(long long vectors)
{
    long long l2_vectors = l2_bytes() / 16;

    // a smaller array is not larger than L2; of a much larger one, the part would be too small
    if (vectors <= l2_vectors || vectors >= 2 * l2_vectors)
        return 0;
    return l2_vectors * KEEP / 100;   // the rest is for the lines that pass through
}

template <class T>
__global__ void reduce(const T *in, T *out, long long n, partial_sums<T> *partial, long long kept)
{
    T sum = block_sum(thread_sum<BLOCK, LOADS>(in, n, load_kept{ kept }));

    combine_blocks(sum, out, partial);
}

template <class T> void sum_array(const T *in, T *out, long long n)
{
    const int tile = LOADS * BLOCK * (16 / sizeof(T));   // elements of a block's tile
    int resident = BLOCKS_PER_SM * multiprocessors();
    int blocks = (int)min(ceil_div(n, tile), (long long)resident);
    int bytes = sizeof(partial_sums<T>) + blocks * sizeof(T);
    long long kept = kept_vectors(n * sizeof(T) / 16);

    reduce<<<blocks, BLOCK>>>(in, out, n, (partial_sums<T> *)scratch(bytes), kept);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum_array, in, out, n);
}
