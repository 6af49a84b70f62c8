// Pools of memory in stream order: which allocations are of which pool (pools.cpp).
#ifndef EMU_POOLS_H
#define EMU_POOLS_H

#include "include/cuda_runtime_api.h"

namespace emu {

bool is_pool(cudaMemPool_t);
cudaMemPool_t current_pool();   // of cudaMallocAsync
void add_to_pool(cudaMemPool_t, void *allocation);

}   // namespace emu

#endif
