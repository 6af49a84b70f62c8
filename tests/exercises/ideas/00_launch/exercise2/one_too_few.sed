# Graded: 0 wrong: ^WRONG at 1x12: 1 of 12 elements of 'out' 
# The last element is missing.
s/i < n/i < n - 1/
