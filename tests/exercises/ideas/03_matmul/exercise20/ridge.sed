# Graded: 7 partial: no: is 8388608, must be (at (most|least) )?1.67772
# A tile of 32 x 32 is at the ridge point.
s/#define BM 64 /#define BM 32 /
s/#define BN 64/#define BN 32/
s/#define TM 4 /#define TM 2 /
s/#define TN 4/#define TN 2/
