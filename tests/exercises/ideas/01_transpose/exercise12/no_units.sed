# Graded: 8 partial: no: is 6560, must be 4224$
# Registers without their units of 256.
s/ceil_div(32 \* s->registers, 256) \* 256/(32 * s->registers)/
