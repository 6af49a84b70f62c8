# Graded: 6 partial: no: [0-9.]*, 3$
# Two of the three buffers.
s/#define DEPTH 3/#define DEPTH 2/
