// Of CUDA's header the C functions; the CPU device does not have the classes.
#ifndef EMU_CUDA_PIPELINE_H
#define EMU_CUDA_PIPELINE_H

#include "cuda_pipeline_primitives.h"

#endif
