// The one device: settings that are hints, limits, its place on the bus, and peers, of which it has
// none.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "host.h"
#include "streams.h"
#include "lanes/guard.h"
#include "lanes/worker.h"

namespace emu {

static enum cudaFuncCache cache = cudaFuncCachePreferNone;
static unsigned flags = cudaDeviceMapHost;
static const char bus_id[] = "0000:00:00.0";

// The limits of a GPU by default, and as set. Only that of the stack is real, and it cannot be
// changed.
static size_t limits[] = { STACK_BYTES, 1 << 20, 8 << 20, 2, 2048, 64, 0 };

size_t malloc_heap_bytes() { return limits[cudaLimitMallocHeapSize]; }

static cudaError_t check_devices(int device, int peer)
{
    return device == 0 && peer == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

}   // namespace emu

#define RESULT(pointer) \
    emu::guard_result(pointer, sizeof *(pointer), true, __builtin_return_address(0))

extern "C" {

cudaError_t cudaFuncSetCacheConfig(const void *, enum cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
    emu::cache = config;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
    RESULT(config);
    *config = emu::cache;
    return cudaSuccess;
}

// Banks have 4 bytes since compute capability 5.0.
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig) { return cudaSuccess; }
cudaError_t cudaFuncSetSharedMemConfig(const void *, enum cudaSharedMemConfig)
{
    return cudaSuccess;
}
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
    RESULT(config);
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    if (limit < 0 || limit >= std::size(emu::limits))
        return emu_failed(cudaErrorInvalidValue);
    if (limit != cudaLimitStackSize)
        emu::limits[limit] = value;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    if (!value || limit < 0 || limit >= std::size(emu::limits))
        return emu_failed(cudaErrorInvalidValue);
    RESULT(value);
    *value = emu::limits[limit];
    return cudaSuccess;
}

cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
    emu::flags = flags | cudaDeviceMapHost;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
    RESULT(flags);
    *flags = emu::flags;
    return cudaSuccess;
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID,
                                   const cudaStreamAttrValue *)
{
    return emu::is_stream(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID,
                                   cudaStreamAttrValue *value)
{
    if (!emu::is_stream(stream))
        return cudaErrorInvalidResourceHandle;
    RESULT(value);
    *value = {};
    return cudaSuccess;
}
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from)
{
    return emu::is_stream(to) && emu::is_stream(from) ? cudaSuccess
                                                      : cudaErrorInvalidResourceHandle;
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *, size_t, unsigned int)
{
    return emu::is_stream(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}
cudaError_t cudaCtxResetPersistingL2Cache(void) { return cudaSuccess; }

cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device)
{
    if (device != 0)
        return emu_failed(cudaErrorInvalidDevice);
    if (!id || length < (int)sizeof emu::bus_id)
        return emu_failed(cudaErrorInvalidValue);
    emu::guard_result(id, sizeof emu::bus_id, true, __builtin_return_address(0));
    memcpy(id, emu::bus_id, sizeof emu::bus_id);
    return cudaSuccess;
}
cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id)
{
    if (!device || !id)
        return emu_failed(cudaErrorInvalidValue);
    if (strcmp(id, emu::bus_id) != 0)
        return emu_failed(cudaErrorInvalidDevice);
    RESULT(device);
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    if (!can)
        return emu_failed(cudaErrorInvalidValue);
    RESULT(can);
    *can = 0;
    return emu_failed(emu::check_devices(device, peer));
}
// A device is no peer of itself.
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int)
{
    return emu_failed(cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    return emu_failed(peer == 0 ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr, int, int)
{
    if (!value)
        return emu_failed(cudaErrorInvalidValue);
    return emu_failed(cudaErrorInvalidDevice);
}
cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes)
{
    if (cudaError_t error = emu::check_devices(to_device, from_device))
        return emu_failed(error);
    return emu_failed(
        emu::copy_rows(to, 0, from, 0, bytes, 1, cudaMemcpyDeviceToDevice, CALL(0, false)));
}
cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t bytes, cudaStream_t stream)
{
    if (cudaError_t error = emu::check_devices(to_device, from_device))
        return emu_failed(error);
    return emu_failed(
        emu::copy_rows(to, 0, from, 0, bytes, 1, cudaMemcpyDeviceToDevice, CALL(stream, true)));
}
}
