// Functions that stages 3 to 10 show and later stages use. Each namespace is named after the stage
// that shows its contents, and has the same text, plus `inline` where it is no template. A stage
// names what it uses: `using stage3::block_scan;`. Namespace ring: what stages from 11 on have in
// common.
#ifndef SCANS_H
#define SCANS_H

#include <stdint.h>

#include "scan.h"

namespace stage3 {
// Returns the sum of the elements of lanes 0 to this one. All 32 lanes call it.
template <class T> __device__ T warp_scan(T sum)
{
    int lane = threadIdx.x % 32;

    for (int s = 1; s < 32; s *= 2) {
        T below = __shfl_up_sync(0xffffffff, sum, s);   // the sum of the lane s below
        if (lane >= s)
            sum += below;
    }
    return sum;
}

// Returns the sum of the lanes before this one, of their inclusive sums.
template <class T> __device__ T lanes_before(T inclusive)
{
    T before = __shfl_up_sync(0xffffffff, inclusive, 1);
    return threadIdx.x % 32 > 0 ? before : 0;
}

// Returns the sum of the elements of the threads before this one, and in *total that of all threads
// of the block. Each thread has one element. Two calls with the same warp_sums have a barrier
// between them.
template <class T> __device__ T block_scan(T element, T *total, T *warp_sums)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    T sum = warp_scan(element);

    if (lane == 31)
        warp_sums[warp] = sum;   // of the whole warp
    __syncthreads();
    int warps = blockDim.x / 32;
    T scanned = warp_scan(lane < warps ? warp_sums[lane] : 0);   // lane l: the sum of warps 0 to l
    *total = __shfl_sync(0xffffffff, scanned, 31);
    T before = __shfl_sync(0xffffffff, lanes_before(scanned), warp);
    return before + lanes_before(sum);
}
}   // namespace stage3

namespace stage4 {
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
}   // namespace stage4

namespace stage8 {
// What the blocks share, in scratch memory.
struct published {
    unsigned ticket;    // the next one; zero before the first launch and after each launch
    unsigned launch;    // the number of launches before
    uint64_t words[];   // one per tile, two per tile of doubles: a flag, and 4 bytes of the sum
};

// Stores the sum of a tile with a flag, from which a reader knows what it is.
template <class T> __device__ void publish(published *to, unsigned tile, T sum, unsigned flag)
{
    const int WORDS = sizeof(T) / 4;
    volatile uint64_t *words = &to->words[tile * WORDS];
    unsigned bits[WORDS];

    memcpy(bits, &sum, sizeof sum);
    for (int k = 0; k < WORDS; k++)
        words[k] = (uint64_t)flag << 32 | bits[k];
}

// Returns the flag of a tile, and in *sum what it has published; 0 if the words are not of one sum.
template <class T> __device__ unsigned look_at(published *from, unsigned tile, T *sum)
{
    const int WORDS = sizeof(T) / 4;
    volatile uint64_t *words = &from->words[tile * WORDS];
    unsigned bits[WORDS], flag[WORDS];

    for (int k = 0; k < WORDS; k++) {
        uint64_t word = words[k];
        bits[k] = (unsigned)word;
        flag[k] = word >> 32;
    }
    memcpy(sum, bits, sizeof *sum);
    return flag[0] == flag[WORDS - 1] ? flag[0] : 0;
}

// The number of this launch, from 1 on.
__device__ inline unsigned launch_number(published *p)
{
    return *(volatile unsigned *)&p->launch + 1;
}

// Takes a ticket. One thread per block calls it, when no thread of the block will read the number
// of the launch again. The block with the last ticket counts the launch.
__device__ inline unsigned take_ticket(published *p, unsigned launch)
{
    __threadfence();   // the number has been read before the ticket
    unsigned ticket = atomicInc(&p->ticket, gridDim.x - 1);
    if (ticket == gridDim.x - 1) {   // all blocks have read it
        __threadfence();
        *(volatile unsigned *)&p->launch = launch;
    }
    return ticket;
}
}   // namespace stage8

namespace stage9 {
// Returns the sum over a warp. All 32 lanes call it, and all get the sum.
template <class T> __device__ T warp_sum(T sum)
{
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, s);
    return sum;
}
}   // namespace stage9

namespace stage10 {
using stage8::look_at, stage8::published;
using stage9::warp_sum;

constexpr int AT_ONCE = 5;   // tiles that a lane looks at together

// Returns the sum of the tiles from `first` to `end` - 1. All lanes of a warp call it.
template <class T> __device__ T sum_between(published *from, int first, int end, unsigned launch)
{
    T sum = 0;

    for (int t = first + threadIdx.x % 32; t < end; t += 32 * AT_ONCE) {
        T value[AT_ONCE] = {};
        bool all;
        do {
            all = true;
            for (int k = 0; k < AT_ONCE; k++)
                all &= t + 32 * k >= end || look_at(from, t + 32 * k, &value[k]) / 2 == launch;
        } while (!all);
        for (int k = 0; k < AT_ONCE; k++)
            sum += value[k];
    }
    return warp_sum(sum);
}
}   // namespace stage10

namespace ring {
using namespace stage4;
using stage3::lanes_before, stage3::warp_scan;

// A chunk in the registers of a warp: rows of 32 vectors, one per lane. i: this lane's first
// element.
template <class T, int ROWS> struct Rows {
    static const int ROW = 32 * vec16<T>::WIDTH;   // elements
    vec16<T> v[ROWS];
    T scanned[ROWS];   // the inclusive scan of a row's vector sums over the lanes

    // From shared memory.
    __device__ void load(const T *from)
    {
        for (int r = 0; r < ROWS; r++)
            v[r] = *(const vec16<T> *)&from[r * ROW];
    }

    // Returns the sum of all rows.
    __device__ T sum()
    {
        T sum = 0;
        for (int r = 0; r < ROWS; r++)
            sum += vector_sum(v[r]);
        return stage9::warp_sum(sum);
    }

    // Scans each row, and returns the sum of all rows.
    __device__ T scan()
    {
        T sum = 0;
        for (int r = 0; r < ROWS; r++)
            sum += scanned[r] = warp_scan(vector_sum(v[r]));
        return __shfl_sync(0xffffffff, sum, 31);
    }

    // Stores the scan of the chunk; `before` is the sum of all elements before it.
    __device__ void store(T *out, long long i, long long n, T before, bool exclusive)
    {
        for (int r = 0; r < ROWS; r++, i += ROW) {
            store_vector(out, i, n,
                         vector_scan(v[r], before + lanes_before(scanned[r]), exclusive));
            before += __shfl_sync(0xffffffff, scanned[r], 31);
        }
    }
};
}   // namespace ring

#endif
