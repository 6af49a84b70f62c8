# Graded: 9 solved:
# Another style: the first slices have one element more.
s/^    long long first = blockIdx.x \* n.*/    long long rest = n % slices, b = blockIdx.x, each = n \/ slices;\n    long long first = b * each + min(b, rest), end = first + each + (b < rest);/
