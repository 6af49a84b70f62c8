# Graded: 0 wrong: ^WRONG at 1x12: no_row.cu:[0-9]*: out of bounds: 
# The guard has the column only.
s/row < rows && //
