// Asynchronous copies from global to shared memory: the C functions of CUDA's header of this name.
// A thread's copies up to its next commit form a group. A wait for all but the last `prior` groups
// makes the bytes of the earlier groups visible to this thread; a barrier after it makes them
// visible to others.
#ifndef EMU_CUDA_PIPELINE_PRIMITIVES_H
#define EMU_CUDA_PIPELINE_PRIMITIVES_H

#include "cuda_runtime.h"

extern "C" {
// Copies 4, 8 or 16 bytes; both addresses must be multiples of the size. The last `zfill` bytes are
// not read and become 0.
void __pipeline_memcpy_async(void *shared, const void *global, size_t size_and_align,
                             size_t zfill = 0);
void __pipeline_commit(void);
void __pipeline_wait_prior(size_t prior);
}

#endif
