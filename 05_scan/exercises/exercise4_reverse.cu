// exercise4: from the back: the sum from each element to the end
//
// Task: do this after stage 4. out[i] is to be the sum of in[i] to in[n - 1] (a suffix sum), or
// with --exclusive that of in[i + 1] to in[n - 1]. As given, the kernel scans from the front. Loads
// and stores must remain vectors: reverse neither array in memory. Solved: right for any n, and as
// many sectors and requests as stage 4.
//
// Hint: Which tile must the block scan first? Which elements of an incomplete vector are missing:
// the first or the last ones?
// Hint: Within a tile, thread 0 has the first elements. If thread t gave its sum to the scan as
// thread BLOCK - 1 - t, what would be "before" it?
// Hint: The other way: the sum of the threads after this one is the total, minus what is before,
// minus its own. Is that as exact for floats? It is for ints, and within the bound for floats.
//
// Computes: suffix
// Points 3: correct
// Points 6 (cpu, 131072): ld_requests == 1024 and ld_sectors == 16384 and st_requests == 1024 and
//     st_sectors == 16384 and kernels == 1 and barriers <= 3 * 1024
// Points 1 (gpu, 16777216): rate >= 0.01 * ref_memcpy.rate
// Check (cpu, 40001)
#include "scans.h"

using stage3::block_scan;
using stage4::load_vector, stage4::store_vector, stage4::vec16;
using stage4::vector_scan, stage4::vector_sum;

#define BLOCK 1024   // threads

#ifdef SOLUTION
// Returns the suffix sums of a vector; `sum` is that of all elements after it.
template <class T> __device__ vec16<T> vector_suffix(vec16<T> v, T sum, bool exclusive)
{
    for (int k = v.WIDTH - 1; k >= 0; k--) {
        T next = sum + v.e[k];
        v.e[k] = exclusive ? sum : next;
        sum = next;
    }
    return v;
}

#else
#endif
template <class T> __global__ void scan_tiles(const T *in, T *out, long long n, bool exclusive)
{
    const int WIDTH = vec16<T>::WIDTH, TILE = BLOCK * WIDTH;
    __shared__ T warp_sums[2][32];   // of this tile, and of the one before
    T carry = 0;                     // the sum of the tiles that have been scanned

#ifdef SOLUTION
    for (long long tile = (n - 1) / TILE * TILE; tile >= 0; tile -= TILE) {
        // thread t has the elements of the place BLOCK - 1 - t
        long long i = tile + (BLOCK - 1 - threadIdx.x) * WIDTH;
        vec16<T> v = load_vector(in, i, n);
        T total, *sums = warp_sums[tile / TILE % 2];
        T sum = carry + block_scan(vector_sum(v), &total, sums);   // of the elements after

        store_vector(out, i, n, vector_suffix(v, sum, exclusive));
        carry += total;
    }
#else
    // TODO: from the last tile to the first
    for (long long tile = 0; tile < n; tile += TILE) {
        long long i = tile + threadIdx.x * WIDTH;   // the first element of this thread
        vec16<T> v = load_vector(in, i, n);
        T total, *sums = warp_sums[tile / TILE % 2];
        T sum = carry + block_scan(vector_sum(v), &total, sums);   // of the elements before i

        store_vector(out, i, n, vector_scan(v, sum, exclusive));
        carry += total;
    }
#endif
}

template <class T> void scan_array(const T *in, T *out, long long n, bool exclusive)
{
    scan_tiles<<<1, BLOCK>>>(in, out, n, exclusive);
}

void scan(const void *in, void *out, long long n, enum type type, int exclusive)
{
    BY_TYPE(type, scan_array, in, out, n, exclusive);
}
