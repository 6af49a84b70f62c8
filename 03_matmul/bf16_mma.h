// What stages with elements in bf16 and sums in fp32 need beside them: the contract of the week for
// this type, and the instructions of a warp for tensor cores.
#ifndef BF16_MMA_H
#define BF16_MMA_H

#define ELEMENT bf16
#include "../common/stage/ptx_bf16.h"
#include "matmul.h"

#endif
