// The CPU device declares the contents of this CUDA header in cuda_runtime.h.
#include "cuda_runtime.h"
