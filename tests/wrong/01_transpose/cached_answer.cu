// wrong: keeps the answer of the first call and copies it if a later call has the same arrays,
// whatever the input holds by then
//
// Rejected: this second call had other inputs at the same addresses
// Rejected (gpu): this second call had other inputs at the same addresses
#include "transpose.h"

__global__ void transpose_plain(const float *in, float *out, int rows, int cols)
{
    int i = blockIdx.x * 256 + threadIdx.x;

    if (i < rows * cols)
        out[i % cols * rows + i / cols] = in[i];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    static const float *last_in;
    static float *last_out, *answer;
    static size_t last_bytes;
    size_t bytes = (size_t)rows * cols * sizeof(float);
    float *kept = (float *)scratch(bytes);
    bool known = in == last_in && out == last_out && kept == answer && bytes == last_bytes;

    if (!known)
        transpose_plain<<<ceil_div(rows * cols, 256), 256>>>(in, out, rows, cols);
    cudaMemcpyAsync(known ? out : kept, known ? kept : out, bytes, cudaMemcpyDeviceToDevice,
                    cudaStreamPerThread);
    last_in = in, last_out = out, answer = kept, last_bytes = bytes;
}
