# Graded: 0 wrong: ^WRONG at 1x12: column_major.cu:[0-9]*: out of bounds: 
# x and y are exchanged in the place.
s/row \* cols + col/col * cols + row/
