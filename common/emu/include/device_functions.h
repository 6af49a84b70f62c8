// On the CPU device, what CUDA declares in this header is in cuda_runtime.h.
#include "cuda_runtime.h"
