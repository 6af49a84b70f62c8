# Graded: 0 wrong: ^WRONG at 1x12: 4 of 12 elements of 'out' 
# The last block is missing.
s/(n - 1) \/ 8 + 1/n \/ 8/
