// On the CPU device, what CUDA declares in this header is in cuda_runtime_api.h. There is no driver
// API.
#include "cuda_runtime_api.h"
