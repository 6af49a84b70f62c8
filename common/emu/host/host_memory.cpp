// Memory that the host and kernels share: pinned and managed.
#include <algorithm>
#include <map>
#include <mutex>

#include "graphs.h"
#include "host.h"
#include "pools.h"
#include "streams.h"
#include "lanes/guard.h"
#include "order/memory.h"

namespace emu {

static std::map<uintptr_t, size_t> registered;      // start -> bytes
static std::map<const void *, unsigned> flags_of;   // of allocations by cudaHostAlloc
static std::mutex lock;

bool in_registered(uintptr_t address, uintptr_t *start, uintptr_t *end)
{
    std::lock_guard<std::mutex> hold(lock);
    auto next = registered.upper_bound(address);

    if (next == registered.begin() || address >= (--next)->first + next->second)
        return false;
    if (start)
        *start = next->first;
    if (end)
        *end = next->first + next->second;
    return true;
}

static cudaError_t register_memory(void *host, size_t bytes)
{
    uintptr_t start = (uintptr_t)host;

    if (!host || !bytes)
        return cudaErrorInvalidValue;
    if (in_heap(start) || in_registered(start) || in_registered(start + bytes - 1))
        return cudaErrorHostMemoryAlreadyRegistered;
    std::lock_guard<std::mutex> hold(lock);
    registered[start] = bytes;
    return cudaSuccess;
}

static cudaError_t unregister_memory(void *host)
{
    wait_for_all();
    std::lock_guard<std::mutex> hold(lock);
    return registered.erase((uintptr_t)host) ? cudaSuccess : cudaErrorHostMemoryNotRegistered;
}

// An allocation or a free, as an operation that writes all bytes.
static void use_whole(void *pointer, size_t bytes, const Call &c)
{
    Operation o = { c.name, std::string("in the call of ") + c.name, {} };

    o.used[WRITES].push_back({ (uintptr_t)pointer, (uintptr_t)pointer + bytes, c.pc });
    operation_done(c.stream, std::move(o), false);
}

// Why memory that starts at `pointer` cannot be freed.
static std::string wrong_free(void *pointer)
{
    Range array = in_heap((uintptr_t)pointer) ? allocation_of((uintptr_t)pointer) : Range{ 0, 0 };

    if (array.bytes)
        return "the address is " + std::to_string((uintptr_t)pointer - array.start) +
               " bytes past the start of an array of " + std::to_string(array.bytes);
    return in_heap((uintptr_t)pointer) ? "the memory was freed before"
                                       : "the memory is not from a function like cudaMalloc";
}

static cudaError_t free_memory(void *pointer, const Call &c)
{
    cudaError_t error = release(pointer);

    return emu_failed(error == cudaSuccess ? error : refused(error, c, wrong_free(pointer)));
}

}   // namespace emu

extern "C" {

cudaError_t cudaMalloc(void **pointer, size_t bytes)
{
    return emu_failed(emu::allocate(pointer, bytes));
}

cudaError_t cudaFree(void *pointer)
{
    emu::wait_for_all();
    return emu::free_memory(pointer, CALL(0, false));
}

// Rows start at multiples of 512 bytes, as on current GPUs.
cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height)
{
    constexpr size_t ALIGNMENT = 512;

    if (!pitch || width > SIZE_MAX / 2 || (height && (width + ALIGNMENT) > SIZE_MAX / 2 / height))
        return emu_failed(cudaErrorInvalidValue);
    *pitch = (width + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return emu_failed(emu::allocate(pointer, *pitch * height));
}

cudaError_t cudaMemGetInfo(size_t *free, size_t *total)
{
    emu::guard_result(free, sizeof *free, true, __builtin_return_address(0));
    emu::guard_result(total, sizeof *total, true, __builtin_return_address(0));
    *total = emu::physical() / 5 * 4;
    *free = *total - std::min(*total, emu::heap_used());
    return cudaSuccess;
}

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned int flags)
{
    cudaError_t error = emu::allocate(pointer, bytes, emu::Home::pinned);

    if (error == cudaSuccess) {
        std::lock_guard<std::mutex> hold(emu::lock);
        emu::flags_of[*pointer] = flags;
    }
    return emu_failed(error);
}

// All pinned memory is mapped.
cudaError_t cudaHostGetFlags(unsigned int *flags, void *host)
{
    std::lock_guard<std::mutex> hold(emu::lock);
    auto found = emu::flags_of.find(host);

    if (!flags || found == emu::flags_of.end() || !emu::allocated_bytes(host))
        return emu_failed(cudaErrorInvalidValue);
    emu::guard_result(flags, sizeof *flags, true, __builtin_return_address(0));
    *flags = found->second | cudaHostAllocMapped;
    return cudaSuccess;
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes)
{
    return cudaHostAlloc(pointer, bytes, cudaHostAllocDefault);
}

cudaError_t cudaFreeHost(void *pointer)
{
    emu::wait_for_all();
    return emu::free_memory(pointer, CALL(0, false));
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int)
{
    if (!emu::in_heap((uintptr_t)host))
        return emu_failed(cudaErrorInvalidValue);
    *device = host;
    return cudaSuccess;
}

cudaError_t cudaHostRegister(void *host, size_t bytes, unsigned int)
{
    return emu_failed(emu::register_memory(host, bytes));
}
cudaError_t cudaHostUnregister(void *host) { return emu_failed(emu::unregister_memory(host)); }

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned int)
{
    return emu_failed(emu::allocate(pointer, bytes, emu::Home::managed));
}

cudaError_t cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaMemAdvise(const void *, size_t, enum cudaMemoryAdvise, int) { return cudaSuccess; }

cudaError_t cudaMemPrefetchAsync_v2(const void *pointer, size_t bytes, struct cudaMemLocation,
                                    unsigned int, cudaStream_t stream)
{
    return cudaMemPrefetchAsync(pointer, bytes, 0, stream);
}
cudaError_t cudaMemAdvise_v2(const void *, size_t, enum cudaMemoryAdvise, struct cudaMemLocation)
{
    return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer)
{
    bool known = emu::in_heap((uintptr_t)pointer) || emu::in_registered((uintptr_t)pointer);
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

// In stream order: other streams may use the memory only after the allocation, and before the free.
cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream)
{
    if (!emu::is_stream(stream))
        return cudaErrorInvalidResourceHandle;
    if (!emu::is_pool(pool))
        return emu_failed(cudaErrorInvalidValue);
    if (cudaError_t error = emu::forbidden_by_capture(&stream)) {
        emu::unsupported("allocations in graphs");
        return emu_failed(error);
    }
    cudaError_t error = cudaMalloc(pointer, bytes);
    if (error == cudaSuccess && *pointer) {
        emu::use_whole(*pointer, bytes,
                       { "cudaMallocAsync", (uintptr_t)__builtin_return_address(0), stream, true });
        emu::add_to_pool(pool, *pointer);
    }
    return error;
}

cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream)
{
    return cudaMallocFromPoolAsync(pointer, bytes, emu::current_pool(), stream);
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream)
{
    size_t bytes = emu::allocated_bytes(pointer);

    if (!emu::is_stream(stream))
        return cudaErrorInvalidResourceHandle;
    if (bytes) {
        emu::use_whole(pointer, bytes, CALL(stream, true));
        emu::forget_operations((uintptr_t)pointer, bytes);
    }
    return emu::free_memory(pointer, CALL(stream, true));
}
}
