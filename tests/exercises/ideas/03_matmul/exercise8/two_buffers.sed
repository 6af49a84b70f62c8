# Graded: 6 partial: no: 0.5, 3.5$
# Two buffers, as in double buffering.
s/#define DEPTH 4/#define DEPTH 2/
