# Graded: 4 partial: no: 512, 66$
# One block loads everything.
s/int blocks = .*/int blocks = 1;/
