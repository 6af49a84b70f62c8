# Graded: 7 partial: no: is 256, must be (at (most|least) )?34$
# Block 0 of a tile has all steps, the others add 0.
s/int first = part \* steps \/ parts, end = .*/int first = 0, end = part == 0 ? steps : 0;\n    (void)parts;/
