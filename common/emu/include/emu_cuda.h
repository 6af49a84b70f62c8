// What the headers of libcu++ (<cuda/...>, <cuda/std/...>) share: scopes, orders, and cuda::std,
// which is the host's std. In device code, its templates are compiled as any other code is.
#ifndef EMU_CUDA_CXX_H
#define EMU_CUDA_CXX_H

#include <assert.h>
#include <stdio.h>

#include "cuda_runtime.h"

#define _CUDA_VSTD ::cuda::std   // programs use these names, too
#define _CUDA_VSTD_NOVERSION ::cuda::std

namespace cuda {

enum thread_scope {
    thread_scope_system,
    thread_scope_device,
    thread_scope_block,
    thread_scope_thread = 10
};

namespace std {

using namespace ::std;   // a name that cuda::std itself declares comes first

typedef enum memory_order {
    memory_order_relaxed,
    memory_order_consume,
    memory_order_acquire,
    memory_order_release,
    memory_order_acq_rel,
    memory_order_seq_cst
} memory_order;

}   // namespace std

using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_consume;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

}   // namespace cuda

#endif
