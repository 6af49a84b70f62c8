# Graded: 0 wrong: ^WRONG at 1x12: swapped.cu:[0-9]*: out of bounds: 
# The two indices are exchanged.
s/a\[row\] + b\[col\]/a[col] + b[row]/
