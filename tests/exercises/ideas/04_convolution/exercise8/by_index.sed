# Graded: 9 solved:
# The lanes by their numbers.
s/__shfl_up_sync(0xffffffff, own, 1)/__shfl_sync(0xffffffff, own, lane - 1)/
s/__shfl_down_sync(0xffffffff, own, 1)/__shfl_sync(0xffffffff, own, lane + 1)/
