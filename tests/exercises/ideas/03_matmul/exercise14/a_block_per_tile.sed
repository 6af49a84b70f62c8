# Graded: 5 partial: no: is 40, must be (at (most|least) )?20$
# The bug is avoided: a block has one tile.
s/min(tiles, multiprocessors())/tiles/
