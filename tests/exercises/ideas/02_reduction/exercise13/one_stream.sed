# Graded: 6 partial: no: 0, 1$
# Both halves in one stream.
s/BLOCK, 0, other>>>/BLOCK, 0, cudaStreamPerThread>>>/
