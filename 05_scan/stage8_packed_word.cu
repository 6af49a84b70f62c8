// stage8: the sum and its flag in one word
//
// In stage 7 a message is two words and two fences, and the reader clears the flag. Here both are
// in one word of 8 bytes, which is stored and loaded as a whole: no fence between them. A sum of
// doubles takes two such words, each with a flag and half of the bits.
//
//   63          32 31           0
//   |    flag     |    sum      |     flag: the number of the launch, 1, 2, 3, ...
//
// Words of earlier launches have other numbers, so nothing is cleared, and any number of blocks may
// read a word. All blocks read the number before the last one takes a ticket, which counts it up.
// Look at: stores of the chain, one per tile in place of three (and one for the number).
// This page is long because it shows the word, and how launches are counted.
// make stage8 && ./stage8        make diff A=7 B=8
// Expect (cpu, 262144): kernels == 1
// Expect (cpu, 262144): st_requests == 2048 + 64 + 1
#include "scans.h"

using stage3::block_scan;
using namespace stage4;   // vec16 and its functions

#define BLOCK 1024   // threads

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
__device__ unsigned take_ticket(published *p, unsigned launch)
{
    __threadfence();   // the number has been read before the ticket
    unsigned ticket = atomicInc(&p->ticket, gridDim.x - 1);
    if (ticket == gridDim.x - 1) {   // all blocks have read it
        __threadfence();
        *(volatile unsigned *)&p->launch = launch;
    }
    return ticket;
}

// Returns the sum of all tiles before `tile`, and publishes it with `total`, that of this one. One
// thread of each block calls it.
template <class T> __device__ T pass_on(published *shared, unsigned tile, T total, unsigned launch)
{
    T before = 0;

    while (tile > 0 && look_at(shared, tile - 1, &before) != launch)
        ;
    publish(shared, tile, before + total, launch);
    return before;
}

template <class T>
__global__ void scan_tiles(const T *in, T *out, long long n, bool exclusive, published *shared)
{
    const int WIDTH = vec16<T>::WIDTH, TILE = BLOCK * WIDTH;
    __shared__ T warp_sums[32], before_tile;
    __shared__ unsigned ticket, launch;

    if (threadIdx.x == 0) {
        launch = launch_number(shared);
        ticket = take_ticket(shared, launch);
    }
    __syncthreads();
    long long i = (long long)ticket * TILE + threadIdx.x * WIDTH;
    vec16<T> v = load_vector(in, i, n);
    T total, sum = block_scan(vector_sum(v), &total, warp_sums);
    if (threadIdx.x == 0)
        before_tile = pass_on(shared, ticket, total, launch);
    __syncthreads();
    store_vector(out, i, n, vector_scan(v, before_tile + sum, exclusive));
}

template <class T> void scan_array(const T *in, T *out, long long n, bool exclusive)
{
    int tiles = (int)ceil_div(n, BLOCK * vec16<T>::WIDTH);
    published *shared = (published *)scratch(sizeof(published) + tiles * sizeof(T) * 2);

    scan_tiles<<<tiles, BLOCK>>>(in, out, n, exclusive, shared);
}

void scan(const void *in, void *out, long long n, enum type type, int exclusive)
{
    BY_TYPE(type, scan_array, in, out, n, exclusive);
}
