# Graded: 6 partial: no: is 0.5, must be (at (most|least) )?3.5$
# Two buffers, as in double buffering.
s/#define DEPTH 4/#define DEPTH 2/
