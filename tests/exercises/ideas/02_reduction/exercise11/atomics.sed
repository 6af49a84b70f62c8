# Graded: 9 solved:
# Another style: one atomic per block in place of a second launch.
s/out\[blockIdx.x\] = sum;/atomicAdd(out, sum);/
s/^    T \*sums = .*/    cudaMemsetAsync(out, 0, sizeof *out, cudaStreamPerThread);/
s/(in, sums, n);/(in, out, n);/
/reduce<<<1, BLOCK>>>/d
