// Graded: 0 wrong: ^WRONG at 1x1
#include "transpose.h"

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    // TODO: load a tile, wait, and store it
}

// Here: transpose of honest.cu
