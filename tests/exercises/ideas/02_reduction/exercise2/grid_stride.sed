# Graded: 9 solved:
# Vectors, each thread from its own place: the counts are the same.
s/slice = (count + gridDim.x - 1) \/ gridDim.x;/slice = 0;/
s/long long i = blockIdx.x \* slice + threadIdx.x, end = .*/long long i = blockIdx.x * (long long)BLOCK + threadIdx.x, end = count, step = (long long)gridDim.x * BLOCK;/
s/for (; i + BLOCK < end; i += 2 \* BLOCK) {/(void)slice;\n    for (; i + step < end; i += 2 * step) {/
s/vectors\[i + BLOCK\]/vectors[i + step]/
