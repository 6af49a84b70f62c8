// IEEE half precision: conversions, arithmetic, comparisons, half2.
#ifndef EMU_CUDA_FP16_H
#define EMU_CUDA_FP16_H

#include "emu_half.h"

EMU_HALF_TYPES(__half, __half2, 5)
EMU_HALF_ARITHMETIC(__half, __half2)
EMU_HALF_CONVERSIONS(__half, __half2, half, half2)
typedef __half half;
typedef __half2 half2;

#endif
