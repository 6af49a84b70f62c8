# Graded: 6 partial: no: 1[0-9]+, 192000$
# A grid-stride loop has no slices.
s/long long i = first + threadIdx.x; i < end; i += BLOCK/long long i = blockIdx.x * (long long)BLOCK + threadIdx.x; i < n; i += (long long)slices * BLOCK/
/^    long long first = /d
