# Graded: 7 partial: no: is 1, must be (at (most|least) )?4$
# One element per thread, 1024 threads per block.
s/#define STEP 8 /#define STEP 32 /
