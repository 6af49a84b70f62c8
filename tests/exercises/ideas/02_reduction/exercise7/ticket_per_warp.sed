# Graded: 9 solved:
# Each warp takes a ticket of its own, after its own fence.
s/^    __syncthreads();   \/\/ all warps of this block.*//
s/^    if (tid == 0)   \/\/ the counter wraps.*/    if (tid % 32 == 0)/
s/last = atomicInc(&partial->ticket, gridDim.x - 1) == gridDim.x - 1;/last = atomicInc(\&partial->ticket, gridDim.x * WARPS - 1) == gridDim.x * WARPS - 1;/
