# Graded: 0 wrong: ^WRONG at 1x8: one_too_many.cu:[0-9]*: out of bounds: 4 bytes of global memory at byte 4 of an array that has 4$
# A block too many if n is a multiple of 8.
s/(n - 1) \/ 8 + 1/n \/ 8 + 1/
