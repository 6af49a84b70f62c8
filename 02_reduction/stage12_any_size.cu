// stage12: any size. One kernel, and a launch that suits the size: from one element to more than
// 2^31.
//
// Blocks combine as in stage 11 for ints, as in stage 10 for the others. What changes with n is the
// launch. Small: one block for each 32 KB, so that a call is one launch and one round trip to
// memory. Below 2 GB: as many blocks as the GPU holds. From there on: a block for each 64 KB and no
// loop, which is faster than stage 11 there: perhaps because blocks that start in order read close
// together, and blocks that loop drift apart. Elements are read once, so __ldcs lets L2 drop them
// first; but of an array of once or twice L2 it loads a first part, `kept`, as usual: the next call
// finds that there.
//
// make stage12 && ./stage12; ./stage12 -n 16777216 --hot; ./stage12 --shmoo
//
// Expect (cpu, 1048576): ld_requests == stage11.ld_requests
// Expect (sm_90, 4096): median_us <= 1.02 * ref_cub.median_us
// Expect (sm_90, 65536): median_us <= 0.6 * ref_cub.median_us
// Expect (sm_90, 1048576): median_us <= 0.6 * ref_cub.median_us
// Expect (sm_90, 16777216, hot): median_us <= 0.8 * ref_cub.median_us
// Expect (sm_90, 1073741824): rate >= 1.01 * stage11.rate
// Expect (sm_90, 1073741824): rate >= 1.015 * ref_cub.rate
// Expect (sm_90, 1073741824): rate >= 0.95 * peak_gbs
#include "reduction.h"

#define BLOCK 512

template <class T, int loads>
__global__ void reduce(const T *in, T *out, long long n, long long kept, unsigned long long *word)
{
    typedef typename sixteen<T>::bytes vector;
    const int per = sizeof(vector) / sizeof(T), tile = loads * BLOCK;
    __shared__ T shared[32];
    long long vectors = n / per;
    T sum = blockIdx.x == 0 && threadIdx.x < n % per ? in[vectors * per + threadIdx.x] : 0;

    for (long long first = (long long)blockIdx.x * tile; first < vectors;
         first += (long long)gridDim.x * tile) {
        const vector *from = (const vector *)in + first + threadIdx.x;
        int left = (int)min(vectors - first, (long long)tile) - threadIdx.x;
        vector v[loads] = {};   // zero past the end
        for (int k = 0; k < loads; k++)
            if (k * BLOCK < left)
                v[k] = first < kept ? from[k * BLOCK] : __ldcs(&from[k * BLOCK]);
        for (int k = 0; k < loads; k++)
            sum += add_up(v[k]);
    }
    combine(block_sum(sum, shared), out, word, shared);
}

template <class T> void sum(const T *in, T *out, long long n)
{
    long long vectors = n * sizeof(T) / 16, l2 = l2_bytes() / 16;
    long long kept = vectors > l2 && vectors < 2 * l2 ? l2 * 6 / 10 : 0;
    bool large = vectors >= 1 << 27;
    int most = large ? INT_MAX : 2048 / BLOCK * multiprocessors();
    int blocks = (int)min(vectors / ((large ? 8 : 4) * BLOCK) + 1, (long long)most);
    unsigned long long *word = (unsigned long long *)scratch(sizeof *word + blocks * sizeof(T));

    if (large)
        reduce<T, 8><<<blocks, BLOCK>>>(in, out, n, kept, word);
    else
        reduce<T, 4><<<blocks, BLOCK>>>(in, out, n, kept, word);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum, in, out, n)
}
