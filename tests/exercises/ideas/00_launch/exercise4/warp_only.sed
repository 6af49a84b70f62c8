# Graded: 0 wrong: ^WRONG at 1x40: warp_only.cu:[0-9]*: race: write of tile .* with no __syncthreads 
# The lanes of a warp wait for each other, but not for other warps.
s/__syncthreads/__syncwarp/
