# Graded: 6 partial: no: is 1[0-9]+, must be (at (most|least) )?192000$
# A grid-stride loop has no slices.
s/long long i = first + threadIdx.x; i < end; i += BLOCK/long long i = blockIdx.x * (long long)BLOCK + threadIdx.x; i < n; i += (long long)slices * BLOCK/
/^    long long first = /d
