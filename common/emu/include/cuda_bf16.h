// bfloat16: conversions, arithmetic, comparisons, pairs.
#ifndef EMU_CUDA_BF16_H
#define EMU_CUDA_BF16_H

#include "emu_half.h"

EMU_HALF_TYPES(__nv_bfloat16, __nv_bfloat162, 8)
EMU_HALF_ARITHMETIC(__nv_bfloat16, __nv_bfloat162)
EMU_HALF_CONVERSIONS(__nv_bfloat16, __nv_bfloat162, bfloat16, bfloat162)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#endif
