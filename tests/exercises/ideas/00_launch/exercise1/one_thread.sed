# Graded: 3 partial: ld_requests == 3 .*: no: 12, 3$
# The first thread of the grid computes all elements.
s/^ *out\[i\] = .*/    for (int k = 0; i == 0 \&\& k < 4 * gridDim.x; k++)\n        out[k] = a[k] + 10;/
