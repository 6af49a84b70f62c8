// Tensor maps: what Hopper's copy engine (TMA) must know of an array to copy boxes of it. Making
// one takes the driver some microseconds, so that they are kept between calls and timed runs find
// them made.
#ifndef TENSORMAP_H
#define TENSORMAP_H

#include <cuda.h>

#ifdef __cplusplus
extern "C" {
#endif

// The map of a rows x columns array, row after row without gaps, copied in boxes of box_rows x
// box_cols. `base` and the length of a row in bytes are multiples of 16; box_rows and box_cols are
// at most 256, and a row of the box at most as many bytes as the swizzle has. The stage passes it
// by value, as `const __grid_constant__ CUtensorMap`. The pointer is good until the next call of
// this function. Ends the program with status 3, and a line that says why, where the driver
// refuses.
const CUtensorMap *tensor_map_2d(CUtensorMapDataType type, const void *base, int rows, int cols,
                                 int box_rows, int box_cols, CUtensorMapSwizzle swizzle);

#ifdef __cplusplus
}
#endif

#endif
