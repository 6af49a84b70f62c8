# Graded: 4 partial: no: is 9, must be (at (most|least) )?129$
# One sum per block, as in stage 12.
s/^    sum = cg::reduce(.*/    sum = block_sum(sum);\n    __syncthreads();/
s/^    if (tid % 32 == 0) {/    if (tid == 0) {/
s/partial->sums\[blockIdx.x \* WARPS + tid \/ 32\]/partial->sums[blockIdx.x]/
s/i < gridDim.x \* WARPS/i < gridDim.x/
