# Graded: 9 solved:
# The last aligned word with a pixel of the row.
s/x = min(max(x, 0), image.pitch - 4);/x = min(max(x, 0), (image.width - 1) \/ 4 * 4);/
