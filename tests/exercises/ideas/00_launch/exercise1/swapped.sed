# Graded: 0 wrong: ^WRONG at 1x12: swapped.cu:[0-9]*: out of bounds: 
# Block and thread are exchanged: elements are skipped, and others do not exist.
s/blockIdx.x \* blockDim.x + threadIdx.x/threadIdx.x * blockDim.x + blockIdx.x/
