# Graded: 0 wrong: ^WRONG at 1x12: no_barrier.cu:[0-9]*: race within a warp: read of tile 
# No barrier.
/__syncthreads/d
