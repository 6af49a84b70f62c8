// Memory that the host and kernels share: pinned and managed.
#include "internal.h"

extern "C" {

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned int)
{
    return emu_failed(emu::allocate(pointer, bytes, emu::Home::pinned));
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes)
{
    return cudaHostAlloc(pointer, bytes, cudaHostAllocDefault);
}

cudaError_t cudaFreeHost(void *pointer) { return emu_failed(emu::release(pointer)); }

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int)
{
    if (!emu::in_heap((uintptr_t)host))
        return emu_failed(cudaErrorInvalidValue);
    *device = host;
    return cudaSuccess;
}

cudaError_t cudaHostRegister(void *, size_t, unsigned int)
{
    return emu_failed(cudaErrorNotSupported);
}
cudaError_t cudaHostUnregister(void *) { return emu_failed(cudaErrorNotSupported); }

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned int)
{
    return emu_failed(emu::allocate(pointer, bytes, emu::Home::managed));
}

cudaError_t cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaMemAdvise(const void *, size_t, enum cudaMemoryAdvise, int) { return cudaSuccess; }

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer)
{
    bool known = emu::in_heap((uintptr_t)pointer);
    emu::Home home = emu::home_of(pointer);

    *attributes = {};
    if (!known)
        return cudaSuccess;   // cudaMemoryTypeUnregistered
    attributes->type = home == emu::Home::managed ? cudaMemoryTypeManaged
                     : home == emu::Home::device  ? cudaMemoryTypeDevice
                                                  : cudaMemoryTypeHost;
    attributes->devicePointer = (void *)pointer;
    attributes->hostPointer = home == emu::Home::device ? nullptr : (void *)pointer;
    return cudaSuccess;
}

cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t)
{
    return cudaMalloc(pointer, bytes);
}
cudaError_t cudaFreeAsync(void *pointer, cudaStream_t) { return cudaFree(pointer); }
}
