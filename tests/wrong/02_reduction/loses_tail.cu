// wrong: 16-byte loads, without the elements after the last whole vector
//
// Rejected: elements of 'out' are wrong
// Rejected (gpu): elements of 'out' are wrong
#include "reduction.h"

using stage10::horizontal_sum;
using stage10::vec16;
using stage8::block_sum;

template <class T> __global__ void reduce(const T *in, T *out, long long n)
{
    typedef typename vec16<T>::type vector;

    T sum = 0;
    for (long long i = threadIdx.x; i < n / (long long)(sizeof(vector) / sizeof(T));
         i += blockDim.x)
        sum += horizontal_sum(((const vector *)in)[i]);
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        *out = sum;
}

template <class T> void sum(const T *in, T *out, long long n) { reduce<<<1, 512>>>(in, out, n); }

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum, in, out, n);
}
