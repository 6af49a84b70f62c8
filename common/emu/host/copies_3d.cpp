// cudaMemcpy3D and its relatives: slices of rows, of linear memory or of a 2-D array.
#include <algorithm>

#include "array.h"
#include "host.h"
#include "streams.h"
#include "lanes/guard.h"
#include "order/memory.h"

namespace emu {
namespace {

// One side of a copy, in bytes.
struct Side {
    char *start;
    size_t pitch, slice;    // from row to row, from slice to slice
    size_t width, height;   // what a row and a slice have
};

// Returns what is wrong with a side. `element`: bytes of an element of the extent.
cudaError_t side_of(const cudaArray *array, const cudaPos &at, const cudaPitchedPtr &p,
                    size_t element, Side *side)
{
    if ((array != nullptr) == (p.ptr != nullptr))
        return cudaErrorInvalidValue;   // exactly one of them
    if (array && !is_array(array))
        return cudaErrorInvalidValue;
    *side = array ? Side{ (char *)array->data, array->pitch, array->pitch * array->height,
                          array->width * array->format.bytes, array->height }
                  : Side{ (char *)p.ptr, p.pitch, p.pitch * p.ysize, p.pitch, p.ysize };
    if (array && at.z != 0)
        return cudaErrorInvalidValue;
    side->start += at.z * side->slice + at.y * side->pitch + at.x * (array ? element : 1);
    side->width -= std::min(side->width, at.x * (array ? element : 1));
    side->height -= std::min(side->height, at.y);
    return cudaSuccess;
}

cudaError_t copy_slices(const cudaMemcpy3DParms *p, const Call &c)
{
    Side to, from;

    if (!p)
        return cudaErrorInvalidValue;
    const cudaArray *array = p->srcArray ? p->srcArray : p->dstArray;
    size_t element = array && is_array(array) ? array->format.bytes : 1;
    if (cudaError_t error = side_of(p->srcArray, p->srcPos, p->srcPtr, element, &from))
        return error;
    if (cudaError_t error = side_of(p->dstArray, p->dstPos, p->dstPtr, element, &to))
        return error;
    size_t width = p->extent.width * element, height = p->extent.height, depth = p->extent.depth;
    if (width == 0 || height == 0 || depth == 0)
        return cudaSuccess;
    if (width > to.width || width > from.width)
        return array ? cudaErrorInvalidValue : cudaErrorInvalidPitchValue;
    if ((array && (depth > 1 || height > to.height || height > from.height)) ||
        (depth > 1 && (height > to.height || height > from.height)))
        return cudaErrorInvalidValue;
    if (to.slice == height * to.pitch && from.slice == height * from.pitch) {
        height *= depth;
        depth = 1;
    }
    for (size_t z = 0; z < depth; z++)
        if (cudaError_t error =
                copy_rows(to.start + z * to.slice, to.pitch, from.start + z * from.slice,
                          from.pitch, width, height, p->kind, c))
            return error;
    return cudaSuccess;
}

cudaError_t set_slices(const cudaPitchedPtr &p, int value, const cudaExtent &e, const Call &c)
{
    if (e.width > p.pitch)
        return cudaErrorInvalidPitchValue;
    if (e.depth > 1 && e.height > p.ysize)
        return cudaErrorInvalidValue;
    bool is_whole = e.height == p.ysize;
    for (size_t z = 0; z < (is_whole ? 1 : e.depth); z++)
        if (cudaError_t error = set_rows((char *)p.ptr + z * p.pitch * p.ysize, p.pitch, value,
                                         e.width, is_whole ? e.height * e.depth : e.height, c))
            return error;
    return cudaSuccess;
}

}   // namespace
}   // namespace emu

extern "C" {

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pointer, struct cudaExtent extent)
{
    if (!pointer || (extent.depth && extent.height > SIZE_MAX / extent.depth))
        return emu_failed(cudaErrorInvalidValue);
    emu::guard_result(pointer, sizeof *pointer, true, __builtin_return_address(0));
    *pointer = { nullptr, 0, extent.width, extent.height };
    return cudaMallocPitch(&pointer->ptr, &pointer->pitch, extent.width,
                           extent.height * extent.depth);
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
    return emu_failed(emu::copy_slices(p, CALL(0, false)));
}
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
    return emu_failed(emu::copy_slices(p, CALL(stream, true)));
}
cudaError_t cudaMemset3D(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent)
{
    return emu_failed(emu::set_slices(pointer, value, extent, CALL(0, false)));
}
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent,
                              cudaStream_t stream)
{
    return emu_failed(emu::set_slices(pointer, value, extent, CALL(stream, true)));
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent, unsigned int flags)
{
    if (extent.depth != 0)
        return emu_failed(emu::unsupported("3-D arrays (cudaMalloc3DArray with a depth)"));
    return cudaMallocArray(array, desc, extent.width, extent.height, flags);
}
}
