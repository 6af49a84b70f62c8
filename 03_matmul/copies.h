// Functions that stages 6 to 8 show and later stages use: loads, stores and copies within the
// bounds of a matrix. Each namespace is named after the stage that shows its contents, and has the
// same text. A stage names what it uses: `using stage6::load4;`.
#ifndef COPIES_H
#define COPIES_H

#include <cuda_pipeline_primitives.h>

#include "matmul.h"

namespace stage6 {
// Four floats of a rows x cols matrix, from [row][col] on. col is a multiple of 4. Zeros outside
// the matrix. `aligned`: cols is a multiple of 4 too. Then the four are 16 aligned bytes, all
// inside the matrix or all outside, and one instruction loads them.
template <bool aligned>   // a constant for nvcc: two functions, no test at run time
__device__ float4 load4(const float *from, int row, int col, int rows, int cols)
{
    const float *p = from + (size_t)row * cols + col;
    int n = row < rows ? cols - col : 0;   // words up to the end of the row; 0 or less: outside

    if (aligned)
        return n > 0 ? *(const float4 *)p : make_float4(0, 0, 0, 0);
    return make_float4(n > 0 ? p[0] : 0, n > 1 ? p[1] : 0, n > 2 ? p[2] : 0, n > 3 ? p[3] : 0);
}
}   // namespace stage6

namespace stage7 {
// Stores the four floats at v to a rows x cols matrix, from [row][col] on. Outside the matrix, it
// does nothing.
template <bool aligned>
__device__ void store4(float *to, int row, int col, int rows, int cols, const float *v)
{
    float *p = to + (size_t)row * cols + col;
    int n = row < rows ? cols - col : 0;

    if (aligned && n > 0)
        *(float4 *)p = *(const float4 *)v;
    for (int i = 0; i < 4 && !aligned; i++)
        if (i < n)
            p[i] = v[i];
}
}   // namespace stage7

namespace stage8 {
// Starts to copy `words` floats of a rows x cols matrix, from [row][col] on, to shared memory
// (cp.async). Outside the matrix, zeros are stored instead.
template <int words>
__device__ void copy_async(float *to, const float *from, int row, int col, int rows, int cols)
{
    bool inside = row < rows && col < cols;

    // The last argument, zfill: how many of the bytes become zeros instead of being copied. Where
    // all do, nothing is read, and any valid address will do.
    __pipeline_memcpy_async(to, inside ? from + (size_t)row * cols + col : from, 4 * words,
                            inside ? 0 : 4 * words);
}
}   // namespace stage8
#endif
