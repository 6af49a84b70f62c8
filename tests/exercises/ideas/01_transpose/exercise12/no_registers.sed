# Graded: 7 partial: no: 32, 64$
# Registers are not counted.
s/min(sm->registers \/ registers, sm->shared \/ shared)/sm->shared \/ shared/
/^    int registers = /d
