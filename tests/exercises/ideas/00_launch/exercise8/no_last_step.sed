# Graded: 0 wrong: ^WRONG at 1x12: 2 of 2 elements of 'out' are wrong$
# The last step is missing.
s/s > 0/s > 1/
