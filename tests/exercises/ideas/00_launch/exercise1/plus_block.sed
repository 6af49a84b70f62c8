# Graded: 0 wrong: ^WRONG at 1x12: 6 of 12 elements of 'out' are wrong, 6 of them never written$
# Blocks overlap: two threads write one element.
s/blockIdx.x \* blockDim.x/blockIdx.x/
