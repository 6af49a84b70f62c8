# Graded: 9 solved:
# Two buffers in turn: one barrier per tile.
s/__shared__ float tile\[TILE\]\[TILE + 1\]/__shared__ float tile[2][TILE][TILE + 1]/
s/\btile\[threadIdx/tile[t % 2][threadIdx/
/if (t + 1 < TILES)/d
s/^ *__syncthreads();   \/\/ all warps have read.*//
