// The C functions of CUDA's header of this name. The C++ classes are not supported.
#ifndef EMU_CUDA_PIPELINE_H
#define EMU_CUDA_PIPELINE_H

#include "cuda_pipeline_primitives.h"

#endif
