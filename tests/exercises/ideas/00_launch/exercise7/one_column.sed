# Graded: 0 wrong: ^WRONG at 1x12: [0-9]* of 12 elements of 'out' are wrong$
# b has one element for all columns.
s/b\[col\]/b[0]/
