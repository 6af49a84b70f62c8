# Graded: 9 solved:
# Parts of equal length, rounded up.
s/int first = part \* steps \/ parts, end = .*/int each = ceil_div(steps, parts), first = part * each, end = min(first + each, steps);/
