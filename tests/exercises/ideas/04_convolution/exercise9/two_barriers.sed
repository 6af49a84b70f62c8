# Graded: 9 solved:
# A ring of 9 rows and a barrier more.
s/#define RING 8/#define RING 9/
s/^        __syncthreads();/&\n        __syncthreads();/
