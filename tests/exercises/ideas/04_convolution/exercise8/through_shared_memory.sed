# Graded: 5 partial: no: is 0, must be (at (most|least) )?3720$
# The words of the neighbors from shared memory.
s/^    int sum\[4\] = {};/    __shared__ unsigned line[ROWS][34];\n&/
s/^        unsigned word\[3\] = .*/        line[threadIdx.y][lane + 1] = own;\n        if (lane == 0)\n            line[threadIdx.y][0] = line[threadIdx.y][33] = 0;\n        __syncwarp();\n        unsigned word[3] = { line[threadIdx.y][lane], own, line[threadIdx.y][lane + 2] };\n        __syncwarp();/
s/^ *__shfl_down_sync(.*//
