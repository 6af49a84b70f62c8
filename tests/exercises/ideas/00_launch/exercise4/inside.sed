# Graded: 0 wrong: ^WRONG at 1x12: inside.cu:[0-9]*: race within a warp: read of tile 
# Only threads with an element reach the barrier, and they do not all reach the same one.
s/^    __syncthreads();/    if (i % 2)\n        __syncthreads();/
