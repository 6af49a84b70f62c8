# Graded: 0 wrong: ^WRONG at 2x5: flat_guard.cu:[0-9]*: race between blocks: write of global memory 
# The guard compares the place. Threads past the end of a row write elements of the next row.
s/row < rows && col < cols/row * cols + col < rows * cols/
