// stage0: serial scan by one thread
//
// The first strategy of the class challenge: each student waits for the sum of the predecessor. One
// thread adds one element after the other, and stores the sum so far: n steps for n elements.
//
//   in           3    5    6    2    4
//   inclusive    3    8   14   16   20     out[i]: the sum up to element i
//   exclusive    0    3    8   14   16     out[i]: the sum before element i
//
// A step waits for its load; then for an addition, which needs the sum before. No other thread of
// the GPU has anything to do. Look at: active lanes, 1 of 32. Each element is a request of its own,
// of which a warp could serve 32.
// make stage0 && ./stage0
// Expect (cpu, 262144): active_lanes == 1
// Expect (cpu, 262144): ld_requests == 262144
#include "scan.h"

template <class T> __global__ void scan_serial(const T *in, T *out, long long n, bool exclusive)
{
    T sum = 0;   // of the elements before i

    for (long long i = 0; i < n; i++) {
        T next = sum + in[i];

        out[i] = exclusive ? sum : next;
        sum = next;
    }
}

template <class T> void scan_array(const T *in, T *out, long long n, bool exclusive)
{
    scan_serial<<<1, 1>>>(in, out, n, exclusive);
}

void scan(const void *in, void *out, long long n, enum type type, int exclusive)
{
    if (n > 1 << 27)
        return refuse("at most 2^27 elements: one thread would take minutes");
    BY_TYPE(type, scan_array, in, out, n, exclusive);   // switch (type): scan_array() with its T
}
