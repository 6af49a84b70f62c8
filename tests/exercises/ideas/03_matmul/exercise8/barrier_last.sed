# Graded: 9 solved:
# The copies of a step start after the multiplication and a barrier: one buffer more is in flight.
s/^        __syncthreads();   \/\/ the tiles of all threads.*/        __syncthreads();   \/\/ the tiles of all threads/
s/^        if (step + DEPTH - 1 < steps)/        const int next = step + DEPTH - 1;\n        if (next < steps)/
s/copy_tiles(step + DEPTH - 1)/copy_tiles(next)/
