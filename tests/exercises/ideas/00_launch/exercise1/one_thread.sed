# Graded: 3 partial: ld_requests == 3 .*: no: is 12, must be (at (most|least) )?3$
# The first thread of the grid computes all elements.
s/^ *out\[i\] = .*/    for (int k = 0; i == 0 \&\& k < 4 * gridDim.x; k++)\n        out[k] = a[k] + 10;/
