// The CPU device declares the contents of this CUDA header in cuda_runtime_api.h. It has no driver
// API.
#include "cuda_runtime_api.h"
