# Graded: 9 solved:
# Another style: a swizzle in place of padding.
s/\[TILE + 1\]/[TILE]/
s/tile\[threadIdx.y + i\]\[threadIdx.x\]/tile[threadIdx.y + i][threadIdx.x ^ (threadIdx.y + i)]/
s/tile\[threadIdx.x\]\[threadIdx.y + i\]/tile[threadIdx.x][(threadIdx.y + i) ^ threadIdx.x]/
