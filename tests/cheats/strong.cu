// A solution of the lab "find the cheat". tests/cheats.t turns its six measures off, one at a time.
#include "lab.h"

#include <stdlib.h>
#include <string.h>
#include <vector>

enum measure {
    EXACT,    // every bit counts
    ALL,      // every element is checked
    SIZES,    // several sizes, with partial tiles and different sides
    FRESH,    // each call that is checked has new data, and an output without old results
    WAITS,    // the time includes the work of all streams
    FLUSHES   // the input is not in L2
};

// Whether a measure is taken: the environment variable WITHOUT=2 turns number 2 off.
static bool takes(enum measure measure)
{
    const char *without = getenv("WITHOUT");

    return !without || atoi(without) != measure;
}

struct arrays {
    int rows, cols;
    float *in, *out;
    std::vector<float> host;
};

static struct arrays allocate(int rows, int cols)
{
    struct arrays a = { rows, cols, nullptr, nullptr, std::vector<float>(rows * cols) };

    cudaMalloc((void **)&a.in, a.host.size() * sizeof(float));
    cudaMalloc((void **)&a.out, a.host.size() * sizeof(float));
    return a;
}

static void release(struct arrays *a)
{
    cudaFree(a->in);
    cudaFree(a->out);
}

// Writes data that depend on `seed` to `in`, and invalid values to `out`.
static void renew(struct arrays *a, int seed)
{
    for (size_t i = 0; i < a->host.size(); i++)
        a->host[i] = (float)((i * 7919 + seed * 104729) % 1000003) * 0.37f;
    cudaMemcpy(a->in, a->host.data(), a->host.size() * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(a->out, 0xff, a->host.size() * sizeof(float));
    wait_for_gpu();
}

static bool same(float got, float want)
{
    float difference = got > want ? got - want : want - got;

    return takes(EXACT) ? memcmp(&got, &want, sizeof got) == 0 : difference <= 0.01f * want;
}

static bool is_right(const struct arrays *a)
{
    std::vector<float> out(a->host.size());

    cudaMemcpy(out.data(), a->out, out.size() * sizeof(float), cudaMemcpyDeviceToHost);
    for (int c = 0; c < (takes(ALL) || a->cols < 8 ? a->cols : 8); c++)
        for (int r = 0; r < a->rows; r++)
            if (!same(out[c * a->rows + r], a->host[r * a->cols + c]))
                return false;
    return true;
}

// Two calls at a size.
static bool is_right_at(const struct entry *e, int rows, int cols)
{
    struct arrays a = allocate(rows, cols);
    bool right = true;

    renew(&a, 0);
    e->prepare(a.in, a.out, rows, cols);
    for (int call = 1; call <= 2; call++) {
        if (takes(FRESH))
            renew(&a, call);
        e->transpose(a.in, a.out, rows, cols);
        wait_for_gpu();
        right &= is_right(&a);
    }
    release(&a);
    return right;
}

bool benchmark(const struct entry *e, double *us)
{
    enum { CALLS = 3 };
    struct arrays a = allocate(ROWS, COLS);
    bool right = true;

    if (takes(SIZES))
        right = is_right_at(e, 1, 1) && is_right_at(e, 33, 65) && is_right_at(e, 100, 31);
    renew(&a, 0);
    e->prepare(a.in, a.out, ROWS, COLS);
    e->transpose(a.in, a.out, ROWS, COLS);
    wait_for_gpu();
    *us = 0;
    for (int call = 1; call <= CALLS; call++) {
        if (takes(FRESH))
            renew(&a, call);
        if (takes(FLUSHES))
            flush_l2();
        double start = record_event();
        e->transpose(a.in, a.out, ROWS, COLS);
        if (takes(WAITS))
            wait_for_gpu();
        double stop = record_event();
        *us += us_between(start, stop) / CALLS;
        wait_for_gpu();
        right &= is_right(&a);
    }
    release(&a);
    return right;
}
