// Operations in streams: what orders them, and what each of them reads and writes. Operations
// execute at once, in program order. Those that nothing orders may not touch the same bytes unless
// both only read, and host code may not touch what an operation uses that may not be complete.
#ifndef EMU_STREAMS_H
#define EMU_STREAMS_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "include/cuda_runtime_api.h"
#include "order/order.h"

namespace emu {

struct Operation {
    std::string name;    // of a function of the API, or of a kernel
    std::string where;   // for messages
    std::vector<Interval> used[USES];
};

// Is this a stream? If not, records an error for cudaGetLastError.
bool is_stream(cudaStream_t);
// The operation has executed. Reports races with others, and ends the program if there are any.
// `waits`: the host waits for it.
void operation_done(cudaStream_t, Operation &&, bool waits);
// Does a kernel's use of device memory matter, because there are streams that run concurrently? If
// not, only that of memory which the host can access matters.
bool has_streams();
// The host waits for everything in all streams.
void wait_for_all();
// An allocation is freed in a stream.
void forget_operations(uintptr_t start, size_t bytes);

// Kernels or copies run: meanwhile, all memory that they share with the host is accessible. Calls
// may be nested, or come from several host threads.
void operations_begin();
void operations_end();

// The host code at `pc` accessed memory at this address that was protected. Returns false if it was
// protected for another reason. Returns true if the access may be repeated, and otherwise reports
// it.
bool host_access(uintptr_t address, uintptr_t pc);
// The host is about to access this word by an atomic or volatile access, which waits for a kernel.
void host_polls(uintptr_t address);

// Device memory is accessible only while kernels and copies run: they begin, or have ended.
void open_heap(bool open);
// host_memory.cpp: is the address in memory that the host has registered? Stores the limits of the
// memory.
bool in_registered(uintptr_t address, uintptr_t *start = nullptr, uintptr_t *end = nullptr);

}   // namespace emu

#endif
