# Graded: 0 wrong: ^WRONG at 3x4: [0-9]* of 12 elements of 'out' 
# The matrix is accessed column after column. All elements are written once, but the row is not that of the place.
s/row \* cols + col/col * rows + row/
