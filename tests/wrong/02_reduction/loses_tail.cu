// wrong: 16-byte loads, without the elements after the last whole vector
//
// Rejected: elements of 'out' are wrong
// Rejected (gpu): elements of 'out' are wrong
#include "sums.h"

using stage10::vec16;
using stage10::vector_sum;
using stage8::block_sum;

template <class T> __global__ void reduce(const T *in, T *out, long long n)
{
    const vec16<T> *vectors = (const vec16<T> *)in;
    const int width = 16 / sizeof(T);

    T sum = 0;
    for (long long i = threadIdx.x; i < n / width; i += blockDim.x)
        sum += vector_sum(vectors[i]);
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        *out = sum;
}

template <class T> void sum_array(const T *in, T *out, long long n)
{
    reduce<<<1, 512>>>(in, out, n);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum_array, in, out, n);
}
