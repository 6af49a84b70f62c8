# Graded: 3 partial: no: is 384, must be (at (most|least) )?288$
# The fault is avoided: a block of 32 x 8.
s/#define BLOCK_X 8/#define BLOCK_X 32/
s/#define BLOCK_Y 32/#define BLOCK_Y 8/
s/#define ROW 24/#define ROW 34/
