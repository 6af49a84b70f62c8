# Graded: 0 wrong: ^WRONG at 5x8: 8 of 40 elements of 'out' are wrong, 8 of them never written$
# The row has no block: right for at most 4 rows.
s/blockIdx.y \* blockDim.y + threadIdx.y/threadIdx.y/
