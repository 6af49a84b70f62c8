# Graded: 5 partial: no: is 53248, must be (at (most|least) )?69000$
# 8 x 4 sums need more than 64 registers.
s/#define TM 4 /#define TM 8 /
s/#define BLOCKS 4/#define BLOCKS 8/
