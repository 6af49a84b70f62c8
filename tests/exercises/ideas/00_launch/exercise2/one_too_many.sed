# Graded: 0 wrong: ^WRONG at 1x12: one_too_many.cu:[0-9]*: out of bounds: 4 bytes of global memory at byte 48 of an array that has 48$
# n is an element too many.
s/i < n/i <= n/
