// Week 1. The contract of a stage: out = transpose of in.
//
//   in   rows x columns floats in device memory, row after row without gaps, 256-byte aligned
//   out  columns x rows floats, likewise; the two do not overlap
//
// Any rows, columns from 1 to 2097120 with rows * columns < 2^31, unless the stage refuses the
// size. out[c * rows + r] = in[r * cols + c]. Work goes to cudaStreamPerThread, which is what
// <<<grid, block>>> uses here.
#ifndef TRANSPOSE_H
#define TRANSPOSE_H

#include "../common/stage/stage.h"

EXTERN_C void transpose(const float *in, float *out, int rows, int cols);

#endif
