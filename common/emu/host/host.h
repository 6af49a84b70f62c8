// The runtime API for host code.
#ifndef EMU_CALLS_H
#define EMU_CALLS_H

#include <cstddef>
#include <cstdint>
#include <string>

#include "include/cuda_runtime_api.h"

// runtime.cpp: records an error for cudaGetLastError and returns it
extern "C" cudaError_t emu_failed(cudaError_t);

namespace emu {

// runtime.cpp: prints once that the CPU device does not support this, and returns
// cudaErrorNotSupported.
cudaError_t unsupported(const char *what);

// device.cpp: the bytes that kernels can allocate (cudaLimitMallocHeapSize)
size_t malloc_heap_bytes();

// runtime.cpp: if a library function that host code called is at `pc`, the place of the call
uintptr_t caller_in_program(uintptr_t pc);

// endings.cpp: prints a line if the main thread's stack pointer is beyond the end of its stack
void report_full_stack(uintptr_t stack_pointer);

// A call of the API that copies or sets memory.
struct Call {
    const char *name;
    uintptr_t pc;
    cudaStream_t stream;
    bool is_asynchronous;
    bool is_symbol = false;   // of a variable, whose bounds are checked
};
// The call of the API function in which this is used.
#define CALL(stream, is_asynchronous)                                             \
    {                                                                             \
        __func__, (uintptr_t)__builtin_return_address(0), stream, is_asynchronous \
    }
// Returns the error, and keeps why the call was refused, for a note.
cudaError_t refused(cudaError_t, const Call &, const std::string &why);
// Copies `height` rows of `width` bytes; pitches are in bytes. Errors are those of cudaMemcpy2D.
// The host has read these bytes of device memory by the call at `pc` (rounds.cpp).
void host_has_read(uintptr_t pc, const void *data, size_t bytes);
cudaError_t copy_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                      size_t height, cudaMemcpyKind kind, const Call &);
// Sets `height` rows of `width` bytes.
cudaError_t set_rows(void *to, size_t pitch, int value, size_t width, size_t height, const Call &);

}   // namespace emu

#endif
