// Products of matrices of floats with sums in double: the reference for the stages. Matrices are
// row-major without gaps.
#ifndef DENSE_H
#define DENSE_H

enum { COLUMNS = 8 };

// C = A B: C is M x N, A M x K, B K x N. A product of two floats is exact in a double, so only the
// K additions of an element are rounded.
void dense_product(const float *A, const float *B, double *C, long long M, long long N,
                   long long K);

// Y = A X: A is rows x cols, X cols x COLUMNS, Y rows x COLUMNS.
void dense_columns(const float *A, const double *X, double *Y, long long rows, long long cols);

#endif
