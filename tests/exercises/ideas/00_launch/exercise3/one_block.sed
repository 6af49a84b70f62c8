# Graded: 0 wrong: ^WRONG at 1x12: 4 of 12 elements of 'out' 
# One block is too few.
s/(n - 1) \/ 8 + 1/1/
