# Graded: 9 solved:
# With the function of the header.
s/(n - 1) \/ 8 + 1/ceil_div(n, 8)/
