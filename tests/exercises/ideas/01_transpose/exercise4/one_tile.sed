# Graded: 4 partial: no: is 4, must be (at (most|least) )?16$
# The bug is avoided, not found: a block has one tile.
s/#define TILES 4/#define TILES 1/
/if (t + 1 < TILES)/d
s/^ *__syncthreads();   \/\/ all warps have read.*//
