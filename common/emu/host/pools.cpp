// Pools of memory in stream order. Memory is returned as soon as it is freed, so a pool is only a
// list of its allocations.
#include "pools.h"

#include <algorithm>
#include <mutex>
#include <set>

#include "host.h"
#include "streams.h"
#include "lanes/guard.h"
#include "order/memory.h"

struct CUmemPoolHandle_st {
    std::set<void *> allocations;   // also some that were freed
    uint64_t threshold, high;       // to release memory; the most bytes in use
    int reuse[4];                   // by cudaMemPoolAttr: hints
};

namespace emu {
namespace {

std::mutex pools_lock;
std::set<cudaMemPool_t> pools;
CUmemPoolHandle_st usual_pool = { {}, 0, 0, { 1, 1, 1, 1 } };   // of the device
cudaMemPool_t current = &usual_pool;

uint64_t bytes_in_use(cudaMemPool_t pool)
{
    uint64_t bytes = 0;

    for (auto i = pool->allocations.begin(); i != pool->allocations.end();) {
        size_t n = allocated_bytes(*i);
        bytes += n;
        i = n ? std::next(i) : pool->allocations.erase(i);
    }
    return bytes;
}

bool is_known(cudaMemPool_t pool) { return pool == &usual_pool || pools.count(pool); }

}   // namespace

bool is_pool(cudaMemPool_t pool)
{
    std::lock_guard<std::mutex> hold(pools_lock);
    return is_known(pool);
}

cudaMemPool_t current_pool()
{
    std::lock_guard<std::mutex> hold(pools_lock);
    return current;
}

void add_to_pool(cudaMemPool_t pool, void *allocation)
{
    std::lock_guard<std::mutex> hold(pools_lock);

    for (cudaMemPool_t other : pools)
        other->allocations.erase(allocation);
    usual_pool.allocations.erase(allocation);
    pool->allocations.insert(allocation);
    pool->high = std::max(pool->high, bytes_in_use(pool));
}

}   // namespace emu

#define HOLD_POOLS std::lock_guard<std::mutex> hold(emu::pools_lock)

extern "C" {

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    if (!pool || device != 0)
        return emu_failed(pool ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    emu::guard_result(pool, sizeof *pool, true, __builtin_return_address(0));
    *pool = &emu::usual_pool;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    HOLD_POOLS;
    if (!pool || device != 0)
        return emu_failed(pool ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    emu::guard_result(pool, sizeof *pool, true, __builtin_return_address(0));
    *pool = emu::current;
    return cudaSuccess;
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    HOLD_POOLS;
    if (device != 0 || !emu::is_known(pool))
        return emu_failed(device ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    emu::current = pool;
    return cudaSuccess;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *properties)
{
    HOLD_POOLS;
    if (!pool || !properties || properties->allocType != cudaMemAllocationTypePinned ||
        properties->location.type != cudaMemLocationTypeDevice || properties->location.id != 0)
        return emu_failed(cudaErrorInvalidValue);
    if (properties->handleTypes != cudaMemHandleTypeNone)
        return emu_failed(emu::unsupported("pools of memory that other processes share"));
    emu::guard_result(pool, sizeof *pool, true, __builtin_return_address(0));
    *pool = new CUmemPoolHandle_st(emu::usual_pool);
    (*pool)->allocations.clear();
    (*pool)->threshold = (*pool)->high = 0;
    emu::pools.insert(*pool);
    return cudaSuccess;
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    HOLD_POOLS;
    if (!emu::pools.erase(pool))
        return emu_failed(cudaErrorInvalidValue);
    if (emu::current == pool)
        emu::current = &emu::usual_pool;
    delete pool;
    return cudaSuccess;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value)
{
    HOLD_POOLS;
    if (!emu::is_known(pool) || !value)
        return emu_failed(cudaErrorInvalidValue);
    switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies: pool->reuse[attribute] = *(int *)value; break;
    case cudaMemPoolAttrReleaseThreshold: pool->threshold = *(uint64_t *)value; break;
    case cudaMemPoolAttrUsedMemHigh:
    case cudaMemPoolAttrReservedMemHigh:   // only a reset to 0
        if (*(uint64_t *)value != 0)
            return emu_failed(cudaErrorInvalidValue);
        pool->high = emu::bytes_in_use(pool);
        break;
    default: return emu_failed(cudaErrorInvalidValue);
    }
    return cudaSuccess;
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value)
{
    HOLD_POOLS;
    bool is_flag = attribute <= cudaMemPoolReuseAllowInternalDependencies;

    if (!emu::is_known(pool) || !value || attribute < cudaMemPoolReuseFollowEventDependencies ||
        attribute > cudaMemPoolAttrUsedMemHigh)
        return emu_failed(cudaErrorInvalidValue);
    emu::guard_result(value, is_flag ? sizeof(int) : 8, true, __builtin_return_address(0));
    if (is_flag)
        *(int *)value = pool->reuse[attribute];
    else if (attribute == cudaMemPoolAttrReleaseThreshold)
        *(uint64_t *)value = pool->threshold;
    else if (attribute == cudaMemPoolAttrUsedMemHigh || attribute == cudaMemPoolAttrReservedMemHigh)
        *(uint64_t *)value = pool->high;
    else
        *(uint64_t *)value = emu::bytes_in_use(pool);
    return cudaSuccess;
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t)
{
    return emu_failed(emu::is_pool(pool) ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *access,
                                 size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (access[i].location.type != cudaMemLocationTypeDevice || access[i].location.id != 0)
            return emu_failed(cudaErrorInvalidDevice);
    return emu_failed(emu::is_pool(pool) ? cudaSuccess : cudaErrorInvalidValue);
}
}
