# Graded: 7 partial: no: 16640, 4224$
# Shared memory is not counted.
s/min(sm->registers \/ registers, sm->shared \/ shared)/sm->registers \/ registers/
/^    int shared = /d
