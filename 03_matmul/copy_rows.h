// The copy to padded rows that stage 36 launches; with tiles.h.
#ifndef COPY_ROWS_H
#define COPY_ROWS_H

#include "tiles.h"

// Copies a matrix with rows of `cols` words to one whose rows are `pitch` words apart, with zeros
// at their ends. Block i copies row i.
__global__ void copy_rows(const float *from, float *to, int cols, int pitch)
{
    cudaTriggerProgrammaticLaunchCompletion();   // the next kernel may start where an SM has room
    cudaGridDependencySynchronize();   // the kernel before is complete: its scratch may be written
    from += (size_t)blockIdx.x * cols;
    to += (size_t)blockIdx.x * pitch;
    for (int col = threadIdx.x; col < pitch; col += blockDim.x)
        to[col] = col < cols ? from[col] : 0;
}

#endif
