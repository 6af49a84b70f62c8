# Graded: 3 partial: no: is 16384, must be (at (most|least) )?20480$
# Square tiles, as in stage 3, and an array of the size that is expected.
s/#define BM 8 /#define BM 16 /
s/#define BN 32/#define BN 16/
s/#define BK 32 /#define BK 16 /
s/for (int k = ty; k < BK; k += BM)/__shared__ float unused[768];\n        if (K < 0)\n            C[0] = unused[tx];\n        for (int k = ty; k < BK; k += BM)/
