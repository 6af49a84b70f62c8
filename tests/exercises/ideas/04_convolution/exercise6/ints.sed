# Graded: 9 solved:
# Whole numbers in ints.
s/float sum\[4\] = {};/int sum[4] = {};/
s/f.w\[5/f.c[5/
s/^__device__ inline float byte/__device__ inline int byte/
