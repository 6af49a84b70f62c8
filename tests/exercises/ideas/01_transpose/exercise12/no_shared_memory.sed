# Graded: 6 partial: no: is 16640, must be (at (most|least) )?4224$
# Shared memory is not counted.
s/min(sm->registers \/ registers, sm->shared \/ shared)/sm->registers \/ registers/
/^    int shared = /d
