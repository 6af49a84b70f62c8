# Graded: 4 partial: no: is 2048, must be (at (most|least) )?512$
# Only the loads are vectors.
/^__device__ void store_tile/,/^}/s/if (cols % 4 == 0)/if (cols < 0)/
