# Graded: 5 partial: no: is 0, must be (at (most|least) )?16$
# The fault is avoided: lanes store to C.
s/^#include "bf16.h"$/&\nusing stage13::store_sums;/
s/const __grid_constant__ CUtensorMap C, int M, int N,/bf16 *C, int M, int N,/
s/store_tile(&C, smem.slots\[warp\], row + warp \* 16, col, sum);/(void)warp, (void)store_tile;\n    store_sums(C, row, col, M, N, sum);/
s/^ *matrix_map(C, M, N, 16), M, N, K);/                             C, M, N, K);/
