// Tensor maps: they describe an array to Hopper's TMA, which copies boxes of it. The driver needs
// some microseconds to encode one, so maps are kept between calls and timed calls encode none.
#ifndef TENSORMAP_H
#define TENSORMAP_H

#include <cuda.h>

#ifdef __cplusplus
extern "C" {
#endif

// The map of a rows x cols array in row-major order without padding, copied in boxes of box_rows x
// box_cols. `base` and the length of a row in bytes are multiples of 16. box_rows and box_cols are
// at most 256, and a row of the box has at most as many bytes as the swizzle spans. A kernel takes
// the map by value, as `const __grid_constant__ CUtensorMap`. The pointer is valid until the next
// call of this function. Ends the program with status 3 and a message if the driver refuses the
// array or box.
const CUtensorMap *tensor_map_2d(CUtensorMapDataType type, const void *base, int rows, int cols,
                                 int box_rows, int box_cols, CUtensorMapSwizzle swizzle);

#ifdef __cplusplus
}
#endif

#endif
