// What a kernel calls to get its indices and to synchronize with other threads.
#include <cstdlib>

#include "include/cuda_runtime.h"
#include "exec.h"
#include "lanes/log.h"
#include "report/report.h"

namespace emu {

void refuse_host_call(void *call_site)
{
    report({ "device code called on the host: threadIdx, blockIdx, blockDim, gridDim and device "
             "functions "
             "exist only in a kernel; launch a kernel with <<<grid, block>>>",
             (uintptr_t)call_site, "", 0, "on the host" });
    print_findings();
    abort();   // does not come here: there is a finding
}

// These two are part of the function that a kernel calls: a lane that resumes takes a return for
// each call that it is in, and the processor mispredicts these.
static inline __attribute__((always_inline)) uint64_t exchange_here(Exchange how, unsigned mask,
                                                                    uint64_t value, uintptr_t pc)
{
    Worker &w = on_device((void *)pc);
    Lane &lane = *w.current;

    lane.pc = pc;
    lane.exchange = how;
    lane.mask = mask;
    lane.value = value;
    if (how != Exchange::active && !(mask >> lane.id % WARP & 1))
        fail(w, "the mask does not include the calling lane", lane.pc);
    park(w, State::exchange);
    return lane.value;
}

uint64_t exchange(Exchange how, unsigned mask, uint64_t value, uintptr_t pc)
{
    return exchange_here(how, mask, value, pc);
}

static inline __attribute__((always_inline)) void barrier_here(int predicate, uintptr_t pc)
{
    Worker &w = on_device((void *)pc);
    Barriers &b = w.barriers;

    w.current->pc = pc;
    w.current->predicate = predicate;
    b.differs |= b.pc != 0 && b.pc != pc;
    b.pc = pc;
    b.arrived_true += predicate != 0;
    park(w, State::barrier);
}

void barrier(int predicate, uintptr_t pc) { barrier_here(predicate, pc); }

}   // namespace emu

#define CALL_SITE ((uintptr_t)__builtin_return_address(0))

extern "C" {

// As a vector and by component, for the running lane of worker w.
#define INDEX(name, type, value)                                      \
    uint3 name(void)                                                  \
    {                                                                 \
        emu::Worker &w = emu::on_device(__builtin_return_address(0)); \
        const type &v = value;                                        \
        return { v.x, v.y, v.z };                                     \
    }                                                                 \
    INDEX_COMPONENT(name, value, x)                                   \
    INDEX_COMPONENT(name, value, y)                                   \
    INDEX_COMPONENT(name, value, z)
#define INDEX_COMPONENT(name, value, c)                               \
    unsigned name##_##c(void)                                         \
    {                                                                 \
        emu::Worker &w = emu::on_device(__builtin_return_address(0)); \
        return (value).c;                                             \
    }

INDEX(emu_thread_index, uint3, w.current->thread)
INDEX(emu_block_index, uint3, w.block_index)
INDEX(emu_block_dim, dim3, w.launch->block)
INDEX(emu_grid_dim, dim3, w.launch->grid)

int emu_in_kernel(void) { return emu::worker && emu::worker->current; }

void __syncthreads(void) { emu::barrier_here(0, CALL_SITE); }

int __syncthreads_count(int predicate)
{
    emu::barrier_here(predicate, CALL_SITE);
    return (int)emu::worker->barriers.passed_true;
}

int __syncthreads_and(int predicate)
{
    emu::barrier_here(predicate, CALL_SITE);
    return emu::worker->barriers.passed_true == emu::worker->barriers.passed;
}

int __syncthreads_or(int predicate)
{
    emu::barrier_here(predicate, CALL_SITE);
    return emu::worker->barriers.passed_true != 0;
}

void emu_syncwarp(unsigned mask) { emu::exchange_here(emu::Exchange::sync, mask, 0, CALL_SITE); }
unsigned emu_ballot(unsigned mask, int predicate)
{
    return (unsigned)emu::exchange_here(emu::Exchange::ballot, mask, predicate != 0, CALL_SITE);
}
unsigned emu_reduce(enum emu_reduction operation, unsigned mask, unsigned value)
{
    emu::on_device(__builtin_return_address(0)).current->operation = operation;
    return (unsigned)emu::exchange_here(emu::Exchange::reduce, mask, value, CALL_SITE);
}
unsigned __activemask(void)
{
    return (unsigned)emu::exchange_here(emu::Exchange::active, ~0u, 0, CALL_SITE);
}

// The source lane as in the PTX ISA, shfl.sync: `width` divides the warp into sections. If the
// source lies outside the section, the lane keeps its own value. The index of SHFL wraps within the
// section.
uint64_t emu_shfl(enum emu_shuffle how, unsigned mask, uint64_t value, int lane, int width)
{
    emu::Worker &w = emu::on_device(__builtin_return_address(0));
    emu::Lane &self = *w.current;

    if (width < 1 || width > (int)emu::WARP || (width & (width - 1)))
        emu::fail(w, "a shuffle's width must be 1, 2, 4, 8, 16 or 32, not " + std::to_string(width),
                  (uintptr_t)__builtin_return_address(0));
    int id = self.id % emu::WARP, first = id / width * width, source = id;

    switch (how) {
    case EMU_SHFL: source = first + (int)((unsigned)lane % (unsigned)width); break;
    case EMU_SHFL_UP: source = id - lane; break;
    case EMU_SHFL_DOWN: source = id + lane; break;
    case EMU_SHFL_XOR: source = id ^ lane; break;
    }
    self.has_source = source >= first && source < first + width;
    // XOR may read from lower sections, not from higher ones
    if (how == EMU_SHFL_XOR && source < first)
        self.has_source = source >= 0;
    self.source = (unsigned)source;
    return emu::exchange_here(emu::Exchange::shuffle, mask, value, CALL_SITE);
}
}
