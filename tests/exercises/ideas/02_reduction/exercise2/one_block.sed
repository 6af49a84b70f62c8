# Graded: 4 partial: no: is 512, must be (at (most|least) )?66$
# One block loads everything.
s/int blocks = .*/int blocks = 1;/
