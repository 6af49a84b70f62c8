# Graded: 9 solved:
# From 1 upward, to lane 0 only; a block of 64 threads in the second launch stores two sums.
s/for (int s = 16; s > 0; s \/= 2)/for (int s = 1; s < 32; s += s)/
s/__shfl_xor_sync/__shfl_down_sync/
