# Graded: 9 solved:
# Another style: padded rows, and the loop over the rows of B counts passes.
s/tile_b\[BK\]\[BN\];/tile_b[BK][BN + 1];/
s/for (int k = ty; k < BK; k += BM)/for (int pass = 0, k = ty; pass < 4; k = ty + 8 * ++pass)/
