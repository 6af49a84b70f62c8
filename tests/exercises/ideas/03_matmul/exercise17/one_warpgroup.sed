# Graded: 5 partial: no: is 5, must be (at (most|least) )?9$
# The fault is avoided: one consumer warpgroup multiplies both halves.
s/CONSUMERS = 256;/CONSUMERS = 128;/
s/float sum\[BN \/ 2\] = {};/float sum[BN \/ 2] = {}, more[BN \/ 2] = {};/
s/multiply_tiles(sum, p.tiles\[state.index\], group, true);/multiply_tiles(sum, p.tiles[state.index], group, true);\n            multiply_tiles(more, p.tiles[state.index], 64, true);/
s/^        store_sums(C, row + group, col, M, N, sum);/&\n        store_sums(C, row + 64, col, M, N, more);/
