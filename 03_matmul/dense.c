#include "dense.h"

#include <string.h>

// Compiled for several generations of x86 processors, because wide vectors make it several times as
// fast. FAST functions have no OpenMP directives: the compiler would outline the parallel part and
// compile it for the oldest generation only.
#if defined __x86_64__ && defined __GNUC__ && !defined __clang__
#define FAST __attribute__((optimize("O3"), target_clones("avx512f", "avx2", "default")))
#else
#define FAST
#endif

// Rows of a result that are computed together: each loaded element of the other factor is used
// AT_ONCE times.
enum { AT_ONCE = 4 };

// C is computed in tiles of ROWS x COLS, each as a sum over slices of K. The elements of A and B of
// a slice are first copied into doubles, with zeros beyond the edges of the matrices.
enum { ROWS = 64, COLS = 64, SLICE = 128, WIDTH = 32 };

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

void dense_product(const float *A, const float *B, double *C, long long M, long long N, long long K)
{
#pragma omp parallel for collapse(2) schedule(dynamic)
    for (long long m0 = 0; m0 < M; m0 += ROWS)
        for (long long n0 = 0; n0 < N; n0 += COLS) {
            int rows = least(M - m0, ROWS), cols = least(N - n0, COLS);
            double a[ROWS][SLICE] = { 0 }, b[SLICE][COLS] = { 0 }, sum[ROWS][COLS] = { 0 };

            for (long long k0 = 0; k0 < K; k0 += SLICE) {
                int depth = least(K - k0, SLICE);

                for (int r = 0; r < rows; r++)
                    for (int k = 0; k < depth; k++)
                        a[r][k] = A[(m0 + r) * K + k0 + k];
                for (int k = 0; k < depth; k++)
                    for (int c = 0; c < cols; c++)
                        b[k][c] = B[(k0 + k) * N + n0 + c];
                for (int c = 0; c < cols; c += WIDTH)
                    for (int r = 0; r < rows; r += AT_ONCE)
                        add_slice(sum + r, a + r, b, depth, c);
            }
            for (int r = 0; r < rows; r++)
                memcpy(&C[(m0 + r) * N + n0], sum[r], cols * sizeof(double));
        }
}

// Up to AT_ONCE rows of Y = A X.
FAST static void make_rows(const float *A, const double *X, double *Y, int rows, long long cols)
{
    const float *a[AT_ONCE];
    double sum[AT_ONCE][COLUMNS] = { 0 };

    for (int r = 0; r < AT_ONCE; r++)   // missing rows repeat the last one
        a[r] = &A[(r < rows ? r : rows - 1) * cols];
    for (long long k = 0; k < cols; k++)
        for (int r = 0; r < AT_ONCE; r++)
            for (int i = 0; i < COLUMNS; i++)
                sum[r][i] += a[r][k] * X[k * COLUMNS + i];
    memcpy(Y, sum, rows * sizeof *sum);
}

void dense_columns(const float *A, const double *X, double *Y, long long rows, long long cols)
{
#pragma omp parallel for schedule(dynamic)
    for (long long r = 0; r < rows; r += AT_ONCE)
        make_rows(A + r * cols, X, Y + r * COLUMNS, least(rows - r, AT_ONCE), cols);
}
