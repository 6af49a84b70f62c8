// Surface objects over 2-D arrays. An access is one to the array's memory, at a byte of a row.
#include <algorithm>
#include <vector>

#include "exec.h"
#include "host/array.h"
#include "host/host.h"
#include "lanes/guard.h"

namespace emu {

struct Surface {
    bool is_live;
    cudaResourceDesc resource;
};

static std::vector<Surface> surfaces;   // an object is the index here + 1

static const Surface *find_surface(cudaSurfaceObject_t object)
{
    return object - 1 < surfaces.size() && surfaces[object - 1].is_live ? &surfaces[object - 1]
                                                                        : nullptr;
}

}   // namespace emu

extern "C" {

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface,
                                    const struct cudaResourceDesc *resource)
{
    if (!surface || !resource || resource->resType != cudaResourceTypeArray ||
        !emu::is_array(resource->res.array.array) || !resource->res.array.array->is_surface)
        return emu_failed(cudaErrorInvalidValue);
    emu::guard_result(surface, sizeof *surface, true, __builtin_return_address(0));
    emu::surfaces.push_back({ true, *resource });
    *surface = emu::surfaces.size();
    return cudaSuccess;
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface)
{
    if (surface == 0)
        return cudaSuccess;
    if (!emu::find_surface(surface))
        return emu_failed(cudaErrorInvalidValue);
    emu::surfaces[surface - 1].is_live = false;
    return cudaSuccess;
}

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource,
                                             cudaSurfaceObject_t surface)
{
    const emu::Surface *s = emu::find_surface(surface);

    if (!s || !resource)
        return emu_failed(cudaErrorInvalidValue);
    emu::guard_result(resource, sizeof *resource, true, __builtin_return_address(0));
    *resource = s->resource;
    return cudaSuccess;
}

void *emu_surface_element(cudaSurfaceObject_t surface, int x, int y, unsigned bytes,
                          enum cudaSurfaceBoundaryMode outside)
{
    emu::Worker &w = emu::on_device(__builtin_return_address(0));
    uintptr_t pc = (uintptr_t)__builtin_return_address(0);
    const emu::Surface *s = emu::find_surface(surface);
    const cudaArray *a = s ? s->resource.res.array.array : nullptr;

    if (!a || !emu::is_array(a))
        emu::fail(w, "access to a surface that does not exist, or whose array was freed", pc);
    long width = (long)(a->width * a->format.bytes), height = (long)a->height;
    if (x % (int)bytes != 0)
        emu::fail(w,
                  "misaligned access to a surface: x is byte " + std::to_string(x) +
                      " of a row, and must be a multiple of " + std::to_string(bytes),
                  pc);
    if (x < 0 || y < 0 || x + (long)bytes > width || y >= height) {
        if (outside == cudaBoundaryModeTrap)
            emu::fail(w,
                      "out of bounds of a surface: byte " + std::to_string(x) + " of row " +
                          std::to_string(y) + "; rows have " + std::to_string(width) +
                          " bytes, and there are " + std::to_string(height) +
                          " (x is in bytes, not in elements)",
                      pc);
        if (outside == cudaBoundaryModeZero)
            return nullptr;
        x = (int)std::clamp((long)x, 0l, width - (long)bytes);
        y = (int)std::clamp((long)y, 0l, height - 1);
    }
    return (char *)a->data + (size_t)y * a->pitch + (size_t)x;
}
}
