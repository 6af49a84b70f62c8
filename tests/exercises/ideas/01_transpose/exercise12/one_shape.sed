# Graded: 3 partial: no: is 32, must be (at (most|least) )?64$
# The same shape for every matrix.
s/switch (choose(rows, cols))/switch (choose(rows, cols) * 0 + 4)/
