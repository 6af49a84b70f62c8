# Graded: 5 partial: no: 40, 20$
# The bug is avoided: a block has one tile.
s/min(tiles, multiprocessors())/tiles/
