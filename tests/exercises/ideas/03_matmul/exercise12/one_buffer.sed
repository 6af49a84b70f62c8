# Graded: 6 partial: no: 0.5, 2.5$
# A ring of one buffer.
s/DEPTH = 3/DEPTH = 1/
