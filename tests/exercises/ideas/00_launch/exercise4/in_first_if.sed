# Graded: 3 partial: ^barriers == 2 .*: no: is 1, must be 2$
# Threads without an element do not reach the barrier.
s/^        tile\[i\] = a\[i\];/    {\n        tile[i] = a[i];/
s/^    __syncthreads();/        __syncthreads();\n    }/
