# Graded: 0 wrong: ^WRONG at 1x12: 8 of 12 elements of 'out' are wrong
# The number of the block is missing.
s/blockIdx.x \* blockDim.x + //
