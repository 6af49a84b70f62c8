# The row is kept in 16 bits.
s/int y = blockIdx.y \* TILE + threadIdx.y;/short y = blockIdx.y * TILE + threadIdx.y;/
