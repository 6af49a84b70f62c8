# Graded: 6 partial: no: is 2, must be (at (most|least) )?4$
# One batch of 15 calls.
s/BATCHES = 3, CALLS = 5/BATCHES = 1, CALLS = 15/
