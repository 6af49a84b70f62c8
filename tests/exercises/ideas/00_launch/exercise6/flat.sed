# Graded: 0 wrong: ^WRONG at 3x4: [0-9]* of 12 elements of 'out' are wrong, 2 of them never written$
# The place is that of a matrix with rows of length `rows`.
s/row \* cols + col/row * rows + col/
