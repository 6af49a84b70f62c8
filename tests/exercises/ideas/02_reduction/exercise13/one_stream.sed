# Graded: 6 partial: no: is 0, must be (at (most|least) )?1$
# Both halves in one stream.
s/BLOCK, 0, other>>>/BLOCK, 0, cudaStreamPerThread>>>/
