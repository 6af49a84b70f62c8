#include "dense.h"

#include <string.h>

#include "parallel.h"

// Built for several generations of processors, where that can be had: wide vectors make it some
// times as fast.
#if defined __x86_64__ && defined __GNUC__ && !defined __clang__
#define FAST __attribute__((optimize("O3"), target_clones("avx512f", "avx2", "default")))
#else
#define FAST
#endif

enum { AT_ONCE = 4 };   // rows, so that what is loaded of the other factor is used as often

// C is made in tiles, several at a time, each by adding up slices of K; what a slice needs of A and
// B is first laid out as doubles, with zeros where there is nothing.
enum { ROWS = 64, COLS = 64, SLICE = 128, WIDTH = 32 };
struct product {
    const float *A, *B;
    double *C;
    long long M, N, K;
};

// Adds the product of AT_ONCE rows of a with WIDTH columns of b, from column c0 on.
FAST static void add_slice(double sum[][COLS], const double a[][SLICE], const double b[][COLS],
                           int depth, int c0)
{
    double s[AT_ONCE][WIDTH];

    for (int r = 0; r < AT_ONCE; r++)
        for (int c = 0; c < WIDTH; c++)
            s[r][c] = sum[r][c0 + c];
    for (int k = 0; k < depth; k++)
        for (int r = 0; r < AT_ONCE; r++)
            for (int c = 0; c < WIDTH; c++)
                s[r][c] += a[r][k] * b[k][c0 + c];
    for (int r = 0; r < AT_ONCE; r++)
        for (int c = 0; c < WIDTH; c++)
            sum[r][c0 + c] = s[r][c];
}

static int least(long long a, long long b) { return (int)(a < b ? a : b); }

static void make_tile(long long tile, void *context)
{
    const struct product *p = context;
    long long across = (p->N + COLS - 1) / COLS, m0 = tile / across * ROWS,
              n0 = tile % across * COLS;
    int rows = least(p->M - m0, ROWS), cols = least(p->N - n0, COLS);
    double a[ROWS][SLICE] = { 0 }, b[SLICE][COLS] = { 0 }, sum[ROWS][COLS] = { 0 };

    for (long long k0 = 0; k0 < p->K; k0 += SLICE) {
        int depth = least(p->K - k0, SLICE);

        for (int r = 0; r < rows; r++)
            for (int k = 0; k < depth; k++)
                a[r][k] = p->A[(m0 + r) * p->K + k0 + k];
        for (int k = 0; k < depth; k++)
            for (int c = 0; c < cols; c++)
                b[k][c] = p->B[(k0 + k) * p->N + n0 + c];
        for (int c = 0; c < cols; c += WIDTH)
            for (int r = 0; r < rows; r += AT_ONCE)
                add_slice(sum + r, a + r, b, depth, c);
    }
    for (int r = 0; r < rows; r++)
        memcpy(&p->C[(m0 + r) * p->N + n0], sum[r], cols * sizeof(double));
}

void dense_product(const float *A, const float *B, double *C, long long M, long long N, long long K)
{
    struct product p = { A, B, C, M, N, K };

    parallel(((M + ROWS - 1) / ROWS) * ((N + COLS - 1) / COLS), make_tile, &p);
}

struct columns {
    const float *A;
    const double *X;
    double *Y;
    long long rows, cols;
};

FAST static void make_rows(long long group, void *context)
{
    const struct columns *c = context;
    long long first = group * AT_ONCE;
    int rows = least(c->rows - first, AT_ONCE);
    const float *a[AT_ONCE];
    double sum[AT_ONCE][COLUMNS] = { 0 };

    for (int r = 0; r < AT_ONCE; r++)   // a row that is not there is the last one once more
        a[r] = &c->A[(first + (r < rows ? r : rows - 1)) * c->cols];
    for (long long k = 0; k < c->cols; k++)
        for (int r = 0; r < AT_ONCE; r++)
            for (int i = 0; i < COLUMNS; i++)
                sum[r][i] += a[r][k] * c->X[k * COLUMNS + i];
    memcpy(&c->Y[first * COLUMNS], sum, rows * sizeof *sum);
}

void dense_columns(const float *A, const double *X, double *Y, long long rows, long long cols)
{
    struct columns c = { A, X, Y, rows, cols };

    parallel((rows + AT_ONCE - 1) / AT_ONCE, make_rows, &c);
}
