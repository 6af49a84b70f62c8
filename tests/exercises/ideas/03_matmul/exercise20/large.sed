# Graded: 9 solved:
# Another tile: 128 x 128, with 8 x 8 sums per thread.
s/#define BM 64 /#define BM 128 /
s/#define BN 64/#define BN 128/
s/#define TM 4 /#define TM 8 /
s/#define TN 4/#define TN 8/
