// stage4: several elements per thread, vector loads (16 bytes)
//
// In stage 3 a thread makes 14 shuffles for one element. Here a thread has a vector of 4 elements
// (2 doubles). It adds them up in registers, takes part in one scan of the block with its sum, and
// then adds what is before it to each element.
//
//   vector     3  5  6  2     4  1  7  5         thread 0, thread 1
//   sums       16             17                 scanned by the block
//   before     0              16
//   out        3  8 14 16    20 21 28 33
//
// The arrays are aligned, so a vector of 16 bytes is. An incomplete one at the end is loaded and
// stored by elements. Look at: shuffles per element, a quarter of stage 3's (ints).
// make stage4 && ./stage4        make diff A=3 B=4
// Expect (cpu, 262144): exchanges == stage3.exchanges / 4
// Expect (cpu, 262144): ld_sectors == stage3.ld_sectors
#include "scans.h"

using stage3::block_scan;

#define BLOCK 1024   // threads

// A vector of 16 bytes, the most that a thread loads with one instruction: 4 ints or floats, 2
// doubles. alignas(16): its address is a multiple of 16, which such an instruction needs.
template <class T> struct alignas(16) vec16 {
    static const int WIDTH = 16 / sizeof(T);   // elements
    T e[WIDTH];
};

// Loads the vector whose first element is in[i]. Elements from in[n] on are zero.
template <class T> __device__ vec16<T> load_vector(const T *in, long long i, long long n)
{
    vec16<T> v;

    if (i + v.WIDTH <= n)
        return *(const vec16<T> *)&in[i];
    for (int k = 0; k < v.WIDTH; k++)
        v.e[k] = i + k < n ? in[i + k] : 0;
    return v;
}

template <class T> __device__ void store_vector(T *out, long long i, long long n, vec16<T> v)
{
    if (i + v.WIDTH <= n)
        *(vec16<T> *)&out[i] = v;
    else
        for (int k = 0; k < v.WIDTH; k++)
            if (i + k < n)
                out[i + k] = v.e[k];
}

// The sum of a vector's elements.
template <class T> __device__ T vector_sum(vec16<T> v)
{
    T sum = v.e[0];
    for (int k = 1; k < v.WIDTH; k++)
        sum += v.e[k];
    return sum;
}

// Returns the scan of a vector; `sum` is that of all elements before it.
template <class T> __device__ vec16<T> vector_scan(vec16<T> v, T sum, bool exclusive)
{
    for (int k = 0; k < v.WIDTH; k++) {
        T next = sum + v.e[k];
        v.e[k] = exclusive ? sum : next;
        sum = next;
    }
    return v;
}

template <class T> __global__ void scan_tiles(const T *in, T *out, long long n, bool exclusive)
{
    const int WIDTH = vec16<T>::WIDTH, TILE = BLOCK * WIDTH;
    __shared__ T warp_sums[2][32];   // of this tile, and of the one before
    T carry = 0;                     // the sum of the tiles before

    for (long long tile = 0; tile < n; tile += TILE) {
        long long i = tile + threadIdx.x * WIDTH;   // the first element of this thread
        vec16<T> v = load_vector(in, i, n);
        T total, sum = carry + block_scan(vector_sum(v), &total, warp_sums[tile / TILE % 2]);

        store_vector(out, i, n, vector_scan(v, sum, exclusive));
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
