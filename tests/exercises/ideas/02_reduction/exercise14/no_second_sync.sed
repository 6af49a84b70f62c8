# Graded: 0 wrong: may end before
# A block may end while its sum is read.
/no block ends before/d
