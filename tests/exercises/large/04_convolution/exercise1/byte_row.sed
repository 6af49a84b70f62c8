# The number of the block row is kept in a byte.
s/int y = BLOCK_Y \* blockIdx.y + threadIdx.y;/int y = BLOCK_Y * (unsigned char)blockIdx.y + threadIdx.y;/
