// 2-D arrays (cudaArray), which kernels read only through textures. The layout of an array on a GPU
// is not documented; here the array is row-major.
#include <set>

#include "array.h"
#include "host.h"
#include "streams.h"
#include "lanes/guard.h"
#include "order/memory.h"

namespace emu {

static std::set<const cudaArray *> arrays;

bool is_array(const cudaArray *array) { return arrays.count(array); }

bool format_of(const cudaChannelFormatDesc &d, Format *f)
{
    unsigned components = 1 + (d.y != 0) + (d.z != 0) + (d.w != 0);
    bool same =
        (!d.y || d.y == d.x) && (!d.z || (d.y && d.z == d.x)) && (!d.w || (d.z && d.w == d.x));
    bool known = d.f == cudaChannelFormatKindFloat
                   ? d.x == 32
                   : (d.f == cudaChannelFormatKindSigned || d.f == cudaChannelFormatKindUnsigned) &&
                         (d.x == 8 || d.x == 16 || d.x == 32);

    *f = { d.f, (unsigned)d.x, components, (unsigned)d.x / 8 * components };
    return same && known && components != 3;
}

constexpr size_t ROW = 512;   // bytes; rows start at multiples of this

static cudaError_t allocate_array(cudaArray_t *array, const cudaChannelFormatDesc *desc,
                                  size_t width, size_t height, unsigned flags)
{
    Format f;
    void *data;

    if (!array || !desc || width == 0)
        return cudaErrorInvalidValue;
    if (height == 0)
        return unsupported("1-D arrays");
    if (flags & ~cudaArraySurfaceLoadStore)
        return unsupported("layered, cubemap and gathered arrays");
    if (!format_of(*desc, &f))
        return cudaErrorInvalidChannelDescriptor;
    if (width > MAX_TEXTURE_WIDTH || height > MAX_TEXTURE_HEIGHT)
        return cudaErrorInvalidValue;
    size_t pitch = (width * f.bytes + ROW - 1) / ROW * ROW;
    cudaError_t error = allocate(&data, pitch * height);
    if (error == cudaSuccess)
        arrays.insert(*array = new cudaArray{ data, f, width, height, pitch,
                                              (flags & cudaArraySurfaceLoadStore) != 0 });
    return error;
}

static cudaError_t copy_to(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                           size_t width, size_t height, cudaMemcpyKind kind, const Call &c)
{
    if (!is_array(to) || x > to->width * to->format.bytes ||
        width > to->width * to->format.bytes - x || y > to->height || height > to->height - y)
        return cudaErrorInvalidValue;
    if (width > pitch)
        return cudaErrorInvalidPitchValue;
    return copy_rows((char *)to->data + y * to->pitch + x, to->pitch, from, pitch, width, height,
                     kind, c);
}

static cudaError_t copy_from(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                             size_t width, size_t height, cudaMemcpyKind kind, const Call &c)
{
    if (!is_array(from) || x > from->width * from->format.bytes ||
        width > from->width * from->format.bytes - x || y > from->height ||
        height > from->height - y)
        return cudaErrorInvalidValue;
    if (width > pitch)
        return cudaErrorInvalidPitchValue;
    return copy_rows(to, pitch, (const char *)from->data + y * from->pitch + x, from->pitch, width,
                     height, kind, c);
}

static cudaError_t copy_whole_rows(cudaArray_t to, size_t x, size_t y, const void *from,
                                   size_t bytes, cudaMemcpyKind kind, const Call &c)
{
    size_t row = is_array(to) ? to->width * to->format.bytes : 1;

    if (x != 0 || bytes % row != 0)
        return cudaErrorNotSupported;
    return copy_to(to, 0, y, from, row, row, bytes / row, kind, c);
}

}   // namespace emu

extern "C" {

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                            size_t width, size_t height, unsigned int flags)
{
    return emu_failed(emu::allocate_array(array, desc, width, height, flags));
}

cudaError_t cudaFreeArray(cudaArray_t array)
{
    emu::wait_for_all();
    cudaError_t error = !array               ? cudaSuccess
                      : emu::is_array(array) ? emu::release(array->data)
                                             : cudaErrorInvalidValue;

    if (error == cudaSuccess && emu::arrays.erase(array))
        delete array;
    return emu_failed(error);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind)
{
    return emu_failed(emu::copy_to(to, x, y, from, pitch, width, height, kind, CALL(0, false)));
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                     size_t pitch, size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream)
{
    return emu_failed(emu::copy_to(to, x, y, from, pitch, width, height, kind, CALL(stream, true)));
}

// Copies whole rows of the array's width, from the start of row y on.
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
                              cudaMemcpyKind kind)
{
    return emu_failed(emu::copy_whole_rows(to, x, y, from, bytes, kind, CALL(0, false)));
}

cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, cudaMemcpyKind kind)
{
    return emu_failed(emu::copy_from(to, pitch, from, x, y, width, height, kind, CALL(0, false)));
}
cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream)
{
    return emu_failed(
        emu::copy_from(to, pitch, from, x, y, width, height, kind, CALL(stream, true)));
}
cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind)
{
    size_t row = emu::is_array(from) ? from->width * from->format.bytes : 1;

    if (x != 0 || bytes % row != 0)
        return emu_failed(emu::unsupported("cudaMemcpyFromArray of parts of rows"));
    return emu_failed(emu::copy_from(to, row, from, 0, y, row, bytes / row, kind, CALL(0, false)));
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array)
{
    if (!desc || !emu::is_array(array))
        return emu_failed(cudaErrorInvalidValue);
    emu::guard_result(desc, sizeof *desc, true, __builtin_return_address(0));
    int bits = (int)array->format.bits;
    auto of = [&](unsigned i) { return i < array->format.components ? bits : 0; };
    *desc = { of(0), of(1), of(2), of(3), array->format.kind };
    return cudaSuccess;
}
}
