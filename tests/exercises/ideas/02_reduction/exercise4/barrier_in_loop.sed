# Graded: 9 solved:
# The read of the other words is before __syncwarp(), the store after it.
s/sdata\[tid\] += sdata\[tid + s\] + sdata\[tid + 2 \* s\] + sdata\[tid + 3 \* s\];/sdata[tid] = sdata[tid + 3 * s] + (sdata[tid + 2 * s] + (sdata[tid + s] + sdata[tid]));/
