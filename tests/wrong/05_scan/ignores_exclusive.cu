// wrong: always an inclusive scan, also with --exclusive.
//
// Rejected: exclusive +int +WRONG
#include "scan.h"

template <class T> __global__ void scan_serial(const T *in, T *out, long long n)
{
    T sum = 0;

    for (long long i = 0; i < n; i++)
        out[i] = sum += in[i];
}

template <class T> void scan_array(const T *in, T *out, long long n, bool)
{
    scan_serial<<<1, 1>>>(in, out, n);
}

void scan(const void *in, void *out, long long n, enum type type, int exclusive)
{
    BY_TYPE(type, scan_array, in, out, n, exclusive);
}
