// cudaMemcpy, cudaMemset and their variants: linear, pitched, and to and from device variables.
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "graphs.h"
#include "host.h"
#include "launches.h"
#include "streams.h"
#include "lanes/guard.h"
#include "order/memory.h"
#include "report/report.h"

namespace emu {

// Bytes from the start of the first row to the end of the last one; SIZE_MAX on overflow.
static size_t span(size_t pitch, size_t width, size_t height)
{
    return pitch && height - 1 > (SIZE_MAX - width) / pitch ? SIZE_MAX
                                                            : (height - 1) * pitch + width;
}

static bool is_pageable(const void *pointer)
{
    return home_of(pointer) == Home::pinned && !in_heap((uintptr_t)pointer) &&
           !in_registered((uintptr_t)pointer);
}

// Is this an address of the device (or of the host)? Managed and pinned memory is both.
static bool is_on(const void *pointer, bool device)
{
    Home home = home_of(pointer);
    return home == Home::device ? device : !device || !is_pageable(pointer);
}

// A kernel cannot call these functions.
static void host_only(const Call &c)
{
    if (worker && worker->current)
        fail(*worker, std::string("call of the host function ") + c.name + " in a kernel", c.pc);
}

// Must the host wait for a copy, or for setting memory (from = to)? As stated in the CUDA Runtime
// API reference, "API synchronization behavior". Pageable memory is never used after the call.
static bool waits(const void *to, const void *from, const Call &c)
{
    bool from_host = home_of(from) == Home::pinned, to_host = home_of(to) == Home::pinned;

    if (c.is_asynchronous)
        return from != to && ((from_host && to_host) || is_pageable(to));
    return home_of(from) != Home::device || home_of(to) != Home::device;
}

static void add_rows(std::vector<Interval> &used, const void *start, size_t pitch, size_t width,
                     size_t height, const Call &c)
{
    uintptr_t first = (uintptr_t)start;

    if (is_pageable(start))
        return;
    if (height > 1 && pitch == width) {
        width *= height;
        height = 1;
    }
    for (size_t row = 0; row < height; row++)
        used.push_back({ first + row * pitch, first + row * pitch + width, c.pc });
}

static Operation operation_of(const Call &c)
{
    return { c.name, std::string("in the call of ") + c.name, {} };
}

// Why an operation on `bytes` bytes from `pointer` on, which `side` names, is refused.
static std::string wrong_range(const std::string &side, const void *pointer, size_t bytes)
{
    uintptr_t address = (uintptr_t)pointer;

    if (!pointer)
        return side + " is a null pointer";
    if (!in_heap(address))
        return check_variable(address, bytes);
    Range array = allocation_of(address);
    if (!array.bytes)
        return side + " is device memory that is not allocated, or was freed";
    return std::to_string(bytes) + " bytes at byte " + std::to_string(address - array.start) +
           " of " + side + ", an array that has " + std::to_string(array.bytes);
}

static std::string wrong_direction(const void *to, const void *from, cudaMemcpyKind kind)
{
    static const char *const names[] = { "cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                         "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice" };
    auto kind_of = [](const void *p) { return is_pageable(p) ? "host memory" : "device memory"; };

    return std::string("the direction is ") + names[kind & 3] + ", but the copy is from " +
           kind_of(from) + " to " + kind_of(to);
}

// Notes a copy to or from the address that host code has of a __device__ variable. `right` is the
// function for it.
static bool names_host_copy(const void *p, const Call &c, const char *right)
{
    uintptr_t address = (uintptr_t)p;

    if (!is_host_copy(address))
        return false;
    note(c.pc, std::string(c.name) + " is refused: " + host_copy_name(address) +
                   " is a __device__ or __constant__ variable, whose name in host code is not its "
                   "address on the device; use " +
                   right + ", or the address from cudaGetSymbolAddress");
    print_findings();
    return true;
}

// A dry run keeps what may decide how a kernel runs, as a counter or a small table does.
static bool is_too_large_to_keep(size_t width, size_t height)
{
    constexpr size_t MOST = 64 << 10;

    return is_dry_run && (width > MOST || height > MOST / width);
}

// The same call, in another stream.
static Call in(cudaStream_t stream, Call c)
{
    c.stream = stream;
    return c;
}

cudaError_t copy_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                      size_t height, cudaMemcpyKind kind, const Call &c)
{
    host_only(c);
    if (!is_stream(c.stream))
        return cudaErrorInvalidResourceHandle;
    if (auto result = capture(c.stream, cudaGraphNodeTypeMemcpy, [=](cudaStream_t stream) {
            return copy_rows(to, to_pitch, from, from_pitch, width, height, kind, in(stream, c));
        }))
        return *result;
    if (width == 0 || height == 0)
        return cudaSuccess;
    if (height > 1 && (width > to_pitch || width > from_pitch))
        return cudaErrorInvalidPitchValue;
    bool wants_to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice,
         wants_from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;

    if (names_host_copy(to, c, "cudaMemcpyToSymbol") ||
        names_host_copy(from, c, "cudaMemcpyFromSymbol"))
        return cudaErrorInvalidValue;
    auto is_wrong = [&](const void *p, size_t pitch) {
        return !p ||
               (!(c.is_symbol && !in_heap((uintptr_t)p)) && !fits(p, span(pitch, width, height)));
    };
    if (is_wrong(to, to_pitch))
        return refused(cudaErrorInvalidValue, c,
                       wrong_range("the destination", to, span(to_pitch, width, height)));
    if (is_wrong(from, from_pitch))
        return refused(cudaErrorInvalidValue, c,
                       wrong_range("the source", from, span(from_pitch, width, height)));
    if (kind != cudaMemcpyDefault &&
        (!is_on(to, wants_to_device) || !is_on(from, wants_from_device)))
        return refused(cudaErrorInvalidMemcpyDirection, c, wrong_direction(to, from, kind));
    if (home_of(to) == Home::device && home_of(from) == Home::device)
        keep_operation(c.name, width * height);
    if (is_too_large_to_keep(width, height))
        return cudaSuccess;
    open_heap(true);
    for (size_t row = 0; row < height; row++)
        memmove((char *)to + row * to_pitch, (const char *)from + row * from_pitch, width);
    // while memory that an operation uses is accessible
    if (height == 1 && home_of(to) == Home::pinned)
        host_has_read(c.pc, to, width);
    open_heap(false);
    for (size_t row = 0; row < height; row++)
        mark_written((uintptr_t)to + row * to_pitch, width);
    Operation o = operation_of(c);
    add_rows(o.used[READS], from, from_pitch, width, height, c);
    add_rows(o.used[WRITES], to, to_pitch, width, height, c);
    operation_done(c.stream, std::move(o), waits(to, from, c));
    return cudaSuccess;
}

cudaError_t set_rows(void *to, size_t pitch, int value, size_t width, size_t height, const Call &c)
{
    host_only(c);
    if (!is_stream(c.stream))
        return cudaErrorInvalidResourceHandle;
    if (auto result = capture(c.stream, cudaGraphNodeTypeMemset, [=](cudaStream_t stream) {
            return set_rows(to, pitch, value, width, height, in(stream, c));
        }))
        return *result;
    if (width == 0 || height == 0)
        return cudaSuccess;
    if (height > 1 && width > pitch)
        return cudaErrorInvalidPitchValue;
    if (names_host_copy(to, c, "cudaMemcpyToSymbol"))
        return cudaErrorInvalidValue;
    if (is_pageable(to))
        return refused(cudaErrorInvalidValue, c,
                       to ? "the destination is host memory" : "the destination is a null pointer");
    if (!fits(to, span(pitch, width, height)))
        return refused(cudaErrorInvalidValue, c,
                       wrong_range("the destination", to, span(pitch, width, height)));
    keep_operation(c.name, width * height);
    if (is_too_large_to_keep(width, height))
        return cudaSuccess;
    open_heap(true);
    for (size_t row = 0; row < height; row++)
        memset((char *)to + row * pitch, value, width);
    open_heap(false);
    for (size_t row = 0; row < height; row++)
        mark_written((uintptr_t)to + row * pitch, width);
    Operation o = operation_of(c);
    add_rows(o.used[WRITES], to, pitch, width, height, c);
    operation_done(c.stream, std::move(o), waits(to, to, c));
    return cudaSuccess;
}

}   // namespace emu

extern "C" {

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    return emu_failed(emu::copy_rows(to, 0, from, 0, bytes, 1, kind, CALL(0, false)));
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    return emu_failed(emu::copy_rows(to, 0, from, 0, bytes, 1, kind, CALL(stream, true)));
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind)
{
    if (width > to_pitch || width > from_pitch)
        return emu_failed(cudaErrorInvalidPitchValue);
    return emu_failed(
        emu::copy_rows(to, to_pitch, from, from_pitch, width, height, kind, CALL(0, false)));
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream)
{
    if (width > to_pitch || width > from_pitch)
        return emu_failed(cudaErrorInvalidPitchValue);
    return emu_failed(
        emu::copy_rows(to, to_pitch, from, from_pitch, width, height, kind, CALL(stream, true)));
}

cudaError_t cudaMemset(void *to, int value, size_t bytes)
{
    return emu_failed(emu::set_rows(to, 0, value, bytes, 1, CALL(0, false)));
}
cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream)
{
    return emu_failed(emu::set_rows(to, 0, value, bytes, 1, CALL(stream, true)));
}

cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height)
{
    return emu_failed(width > pitch
                          ? cudaErrorInvalidPitchValue
                          : emu::set_rows(to, pitch, value, width, height, CALL(0, false)));
}

cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream)
{
    return emu_failed(width > pitch
                          ? cudaErrorInvalidPitchValue
                          : emu::set_rows(to, pitch, value, width, height, CALL(stream, true)));
}

void *emu_symbol_address(const volatile void *symbol)
{
    return (void *)emu::symbol_address((uintptr_t)symbol);
}

cudaError_t emu_symbol_copy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            const void *symbol, size_t symbol_bytes, cudaStream_t stream,
                            bool is_asynchronous)
{
    to = (void *)emu::symbol_address((uintptr_t)to);
    from = (const void *)emu::symbol_address((uintptr_t)from);
    symbol = (const void *)emu::symbol_address((uintptr_t)symbol);
    bool to_symbol = kind == cudaMemcpyHostToDevice ||
                     (kind == cudaMemcpyDeviceToDevice && !emu::in_heap((uintptr_t)to));
    uintptr_t inside = to_symbol ? (uintptr_t)to : (uintptr_t)from;
    emu::Image image = emu::in_image((uintptr_t)symbol);
    emu::Call call = CALL(stream, is_asynchronous);

    call.name = to_symbol ? "cudaMemcpyToSymbol" : "cudaMemcpyFromSymbol";
    if (image != emu::Image::device && image != emu::Image::constant)
        return emu_failed(emu::refused(cudaErrorInvalidSymbol, call,
                                       "not a __device__ or __constant__ variable"));
    size_t offset = inside - (uintptr_t)symbol;
    if (offset > symbol_bytes || bytes > symbol_bytes - offset ||
        !emu::check_variable(inside, bytes).empty())
        return emu_failed(emu::refused(cudaErrorInvalidValue, call,
                                       std::to_string(bytes) + " bytes at offset " +
                                           std::to_string(offset) + " of a variable that has " +
                                           std::to_string(symbol_bytes)));
    const void *outside = to_symbol ? from : to;
    // Reads of constants are not counted.
    if (emu::is_for_grading() && image == emu::Image::constant && emu::in_heap((uintptr_t)outside))
        return emu_failed(cudaErrorNotSupported);
    if (!emu::in_heap((uintptr_t)outside))
        emu::guard_result(outside, bytes, !to_symbol, __builtin_return_address(0));
    call.is_symbol = true;   // and checked
    return emu_failed(emu::copy_rows(to, 0, from, 0, bytes, 1, cudaMemcpyDefault, call));
}
}
