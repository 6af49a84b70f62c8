# Graded: 3 partial: ^ld_requests == 2 .*: no: is 6, must be (at (most|least) )?2$
# The tile is written, but neighbors are read from global memory.
s/tile\[i - 1\]/a[i - 1]/; s/tile\[i + 1\]/a[i + 1]/
