# Graded: 9 solved:
# Another style: XOR shuffles, and the number of the row from threadIdx and blockIdx.
s/long long row = ((long long)blockIdx.x \* BLOCK + threadIdx.x) \/ 32;/long long row = (long long)blockIdx.x * (BLOCK \/ 32) + threadIdx.x \/ 32;/
s/__shfl_down_sync/__shfl_xor_sync/
