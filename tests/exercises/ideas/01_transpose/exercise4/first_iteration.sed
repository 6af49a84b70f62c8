# Graded: 9 solved:
# The barrier is at the start of all iterations but the first.
/if (t + 1 < TILES)/d
s/^ *__syncthreads();   \/\/ all warps have read.*//
s/^        float v\[ROWS\] = {};/        if (t > 0)\n            __syncthreads();\n&/
