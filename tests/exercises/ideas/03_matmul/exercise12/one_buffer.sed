# Graded: 6 partial: no: is 0.5, must be (at (most|least) )?2.5$
# A ring of one buffer.
s/DEPTH = 3/DEPTH = 1/
