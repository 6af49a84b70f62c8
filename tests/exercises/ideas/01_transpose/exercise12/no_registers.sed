# Graded: 6 partial: no: is 32, must be (at (most|least) )?64$
# Registers are not counted.
s/min(sm->registers \/ registers, sm->shared \/ shared)/sm->shared \/ shared/
/^    int registers = /d
