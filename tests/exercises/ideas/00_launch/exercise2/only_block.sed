# Graded: 0 wrong: ^WRONG at 1x12: 8 of 12 elements of 'out' 
# The number in the block is compared.
s/i < n/i < 4/
