# Graded: 9 solved:
# A swizzle in place of padding.
s/{ return i + i \/ TILE; }.*/{ return i ^ (i \/ TILE % 32); }/
s/(TILE \* TILE + TILE)/(TILE * TILE)/
