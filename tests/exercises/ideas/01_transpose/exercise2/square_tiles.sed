# Graded: 5 partial: no: is 512, must be (at (most|least) )?256$
# A tile of 32 x 32, as in stage 4.
s/TILE_ROWS 64/TILE_ROWS 32/
