// The benchmark of the lab "find the cheat": weak. Harden it until it catches all eight cheats of
// entries.cu, and still accepts the two honest kernels. Change only this file. docs/lab_cheat.md
//
// make cheats
#include "lab.h"

#include <math.h>
#include <vector>

// The value of element i of the input.
static float value(int i) { return (i % 1000) * 0.37f - 100; }

// Whether the first rows of out are right.
static bool is_right(const float *out, int rows, int cols)
{
    std::vector<float> host(rows * cols);

    cudaMemcpy(host.data(), out, host.size() * sizeof(float), cudaMemcpyDeviceToHost);
    for (int c = 0; c < 8; c++)
        for (int r = 0; r < rows; r++) {
            float want = value(r * cols + c);

            if (fabsf(host[c * rows + r] - want) > 0.01f * fabsf(want))
                return false;
        }
    return true;
}

bool benchmark(const struct entry *e, double *us)
{
    enum { CALLS = 5 };
    std::vector<float> host(ROWS * COLS);
    size_t bytes = host.size() * sizeof(float);
    float *in, *out;

    for (int i = 0; i < ROWS * COLS; i++)
        host[i] = value(i);
    cudaMalloc((void **)&in, bytes);
    cudaMalloc((void **)&out, bytes);
    cudaMemcpy(in, host.data(), bytes, cudaMemcpyHostToDevice);

    // is it right?
    e->prepare(in, out, ROWS, COLS);
    e->transpose(in, out, ROWS, COLS);
    wait_for_gpu();
    bool right = is_right(out, ROWS, COLS);

    // how fast is it?
    double start = record_event();
    for (int i = 0; i < CALLS; i++)
        e->transpose(in, out, ROWS, COLS);
    double stop = record_event();
    *us = us_between(start, stop) / CALLS;

    wait_for_gpu();
    cudaFree(in);
    cudaFree(out);
    return right;
}
