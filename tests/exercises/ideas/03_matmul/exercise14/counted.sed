# Graded: 9 solved:
# Another style: the place is the number of the step, counted over all tiles.
s/^            float sum\[BN \/ 2\];$/&\n            ring.index = ring.index % DEPTH;/
