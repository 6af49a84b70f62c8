# Graded: 3 partial: no: is 1, must be (at (most|least) )?4$
# An element per thread: coalesced without a thought.
s/#define THREADS 256/#define THREADS 1024/
s/threadIdx.x + i \* THREADS/threadIdx.x * EACH + i/
