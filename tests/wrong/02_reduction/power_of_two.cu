// wrong: halves the array until one element is left, correct for powers of two only
//
// Rejected: elements of 'out' are wrong
// Rejected (gpu): elements of 'out' are wrong
#include "reduction.h"

template <class T> __global__ void halve(const T *in, T *out, long long half)
{
    long long i = (long long)blockIdx.x * 512 + threadIdx.x;

    if (i < half)
        out[i] = in[i] + in[i + half];
}

template <class T> __global__ void copy(const T *in, T *out) { *out = *in; }

template <class T> void sum_array(const T *in, T *out, long long n)
{
    T *sums = (T *)scratch(n * sizeof(T));   // a launch writes after the values that it reads

    while (n > 1) {
        n /= 2;
        halve<<<ceil_div(n, 512), 512>>>(in, sums, n);
        in = sums;
        sums += n;
    }
    copy<<<1, 1>>>(in, out);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum_array, in, out, n);
}
