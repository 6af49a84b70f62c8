# Graded: 9 solved:
# The loop ends for a warp when its first lane is past the end.
/long long end = /d
s/i < end;/i - threadIdx.x % 32 < n;/
