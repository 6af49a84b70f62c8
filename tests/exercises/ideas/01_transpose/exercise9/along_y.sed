# Graded: 9 solved:
# 2 lanes along x and 16 along y use all of each sector, too.
s/tx = threadIdx.x % 4, ty = threadIdx.x \/ 4;/tx = threadIdx.x % 2, ty = threadIdx.x \/ 2;/
s/BLOCK_COLS 128/BLOCK_COLS 64/
s/BLOCK_ROWS 32/BLOCK_ROWS 64/
s/16 \* threadIdx.y/8 * threadIdx.y/
