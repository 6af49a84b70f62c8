# Graded: 3 partial: no: 0, 15$
# Sixteen launches, and no event.
s/^ *cudaEvent.*//
s/us\[i\] = .*/us[i] = 1;/
