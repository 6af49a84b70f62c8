# Graded: 9 solved:
# A thread keeps its own element in a register: one load of shared memory less.
s/^    tile\[i\] = a\[i\];/    float sum = a[i];\n    tile[i] = sum;/
/^    float sum = tile\[i\];/d
