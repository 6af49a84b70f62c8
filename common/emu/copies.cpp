// cudaMemcpy, cudaMemset and their variants: linear, pitched, and to and from device variables.
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "internal.h"

namespace emu {

// Bytes from the start of the first row to the end of the last one; SIZE_MAX on overflow.
static size_t span(size_t pitch, size_t width, size_t height)
{
    return pitch && height - 1 > (SIZE_MAX - width) / pitch ? SIZE_MAX
                                                            : (height - 1) * pitch + width;
}

// Is this an address of the device (or of the host)? Managed memory is both.
static bool is_on(const void *pointer, bool device)
{
    Home home = home_of(pointer);
    return home == Home::managed || (home == Home::device) == device;
}

cudaError_t copy_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                      size_t height, cudaMemcpyKind kind)
{
    if (width == 0 || height == 0)
        return cudaSuccess;
    if (height > 1 && (width > to_pitch || width > from_pitch))
        return cudaErrorInvalidPitchValue;
    bool wants_to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice,
         wants_from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;

    if (!to || !from || !fits(to, span(to_pitch, width, height)) ||
        !fits(from, span(from_pitch, width, height)))
        return cudaErrorInvalidValue;
    if (kind != cudaMemcpyDefault &&
        (!is_on(to, wants_to_device) || !is_on(from, wants_from_device)))
        return cudaErrorInvalidMemcpyDirection;
    open_heap(true);
    for (size_t row = 0; row < height; row++)
        memmove((char *)to + row * to_pitch, (const char *)from + row * from_pitch, width);
    open_heap(false);
    for (size_t row = 0; row < height; row++)
        mark_written((uintptr_t)to + row * to_pitch, width);
    return cudaSuccess;
}

static cudaError_t copy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    return copy_rows(to, 0, from, 0, bytes, 1, kind);
}

static cudaError_t set_rows(void *to, size_t pitch, int value, size_t width, size_t height)
{
    if (width == 0 || height == 0)
        return cudaSuccess;
    if (height > 1 && width > pitch)
        return cudaErrorInvalidPitchValue;
    if (!in_heap((uintptr_t)to) || !fits(to, span(pitch, width, height)))
        return cudaErrorInvalidValue;
    open_heap(true);
    for (size_t row = 0; row < height; row++)
        memset((char *)to + row * pitch, value, width);
    open_heap(false);
    for (size_t row = 0; row < height; row++)
        mark_written((uintptr_t)to + row * pitch, width);
    return cudaSuccess;
}

}   // namespace emu

extern "C" {

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    return emu_failed(emu::copy(to, from, bytes, kind));
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t)
{
    return cudaMemcpy(to, from, bytes, kind);
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind)
{
    if (width > to_pitch || width > from_pitch)
        return emu_failed(cudaErrorInvalidPitchValue);
    return emu_failed(emu::copy_rows(to, to_pitch, from, from_pitch, width, height, kind));
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t)
{
    return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}

cudaError_t cudaMemset(void *to, int value, size_t bytes)
{
    return emu_failed(emu::set_rows(to, 0, value, bytes, 1));
}
cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t)
{
    return cudaMemset(to, value, bytes);
}

cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height)
{
    return emu_failed(width > pitch ? cudaErrorInvalidPitchValue
                                    : emu::set_rows(to, pitch, value, width, height));
}

cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t)
{
    return cudaMemset2D(to, pitch, value, width, height);
}

cudaError_t emu_symbol_copy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            const void *symbol, size_t symbol_bytes)
{
    bool to_symbol = kind == cudaMemcpyHostToDevice ||
                     (kind == cudaMemcpyDeviceToDevice && !emu::in_heap((uintptr_t)to));
    uintptr_t inside = to_symbol ? (uintptr_t)to : (uintptr_t)from;
    emu::Image image = emu::in_image((uintptr_t)symbol);

    if (image != emu::Image::device && image != emu::Image::constant)
        return emu_failed(cudaErrorInvalidSymbol);
    size_t offset = inside - (uintptr_t)symbol;
    if (offset > symbol_bytes || bytes > symbol_bytes - offset)
        return emu_failed(cudaErrorInvalidValue);
    return emu_failed(emu::copy(to, from, bytes, cudaMemcpyDefault));
}
}
