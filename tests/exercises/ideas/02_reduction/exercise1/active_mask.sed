# Graded: 0 wrong: a shuffle by the mask of __activemask
# A mask that happens to be full.
s/__shfl_xor_sync(0xffffffff,/__shfl_xor_sync(__activemask(),/
