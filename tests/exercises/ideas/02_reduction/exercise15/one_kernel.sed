# Graded: 4 partial: no: is 1, must be 2$
# The second launch is not in the graph.
/reduce<<<1, BLOCK, 0, stream>>>/d
s/cudaGraphLaunch(ready, cudaStreamPerThread);/&\n    reduce<<<1, BLOCK, 0, cudaStreamPerThread>>>(sums, out, blocks);/
