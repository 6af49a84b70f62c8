// malloc and free in kernels. Each block has pages of its own in device memory, so that its bounds
// are checked as those of any array.
#include <cstdlib>

#include "exec.h"
#include "host/host.h"
#include "lanes/worker.h"
#include "order/memory.h"

extern "C" {

void *emu_malloc(size_t n)
{
    if (!emu::worker || !emu::worker->current)
        return malloc(n);
    emu::worker->launch->has_allocated = true;
    return emu::allocate_in_kernel(n, emu::malloc_heap_bytes());
}

void emu_free(void *p)
{
    if (!emu::worker || !emu::worker->current)
        return free(p);
    if (!p)
        return;
    emu::worker->launch->has_allocated = true;
    std::string wrong = emu::free_in_kernel(p);
    if (!wrong.empty())
        emu::fail(*emu::worker, wrong, (uintptr_t)__builtin_return_address(0));
}
}
