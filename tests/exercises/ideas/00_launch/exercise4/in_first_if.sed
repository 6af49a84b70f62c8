# Graded: 3 partial: ^partial_barriers == 0 .*: no: is 1, must be (at (most|least) )?0$
# Threads without an element do not reach the barrier.
s/^        tile\[i\] = a\[i\];/    {\n        tile[i] = a[i];/
s/^    __syncthreads();/        __syncthreads();\n    }/
