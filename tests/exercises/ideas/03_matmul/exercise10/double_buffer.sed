# Graded: 6 partial: no: is [0-9.]+, must be (at (most|least) )?3$
# Two of the three buffers.
s/#define DEPTH 3/#define DEPTH 2/
