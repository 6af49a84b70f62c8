// Graded: 9 solved:
#include "transpose.h"
#include <vector>
#include <cstring>

struct S {
    int n;
    double d[2];
    const char *name;
    long pad[9];
};
static S global;
static int total;
static void take(S s) { total += s.n; }
static S give()
{
    S s = {};
    s.n = 1;
    return s;
}
static int by_ref(const S &s) { return s.n; }

// Here: transpose_tile of honest.cu

void transpose(const float *in, float *out, int rows, int cols)
{
    S a, b = { 1, { 2, 3 }, "x" };
    memcpy(&a, &b, sizeof(S));
    S *p = new S(a);
    std::vector<S> v(3, *p);
    v[1] = *p;
    take(v[2]);
    take(*p);
    S c = give();
    v[0] = give();
    *p = give();
    take(give());
    take(c);
    S arr[4] = {};
    arr[rows & 3] = arr[cols & 3];
    take(arr[rows & 3]);
    global = give();
    take(global);
    delete p;
    if (by_ref(global) < 0)
        return;
    transpose_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(in, out, rows,
                                                                                  cols);
}
