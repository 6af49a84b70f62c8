# Graded: 0 wrong: ^WRONG at 3x4: [0-9]* of 12 elements of 'out' are wrong, 8 of them never written$
# All threads of a column write one element.
s/out\[row \* cols + col\]/out[col]/
