// The rest of the runtime API: errors, device properties and limits, kernel attributes.
#include <execinfo.h>
#include <signal.h>
#include <sys/utsname.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <set>
#include <mutex>

#include "include/cuda.h"
#include "array.h"
#include "graphs.h"
#include "host.h"
#include "streams.h"
#include "lanes/cluster.h"
#include "lanes/guard.h"
#include "order/memory.h"
#include "report/report.h"

namespace emu {

static size_t l2_bytes;   // that the device reports
static thread_local cudaError_t last_error = cudaSuccess;
// Of the call between emu_begin_call() and emu_drop_result().
static thread_local cudaError_t call_error = cudaSuccess;
// bytes, of kernels with cudaFuncAttributeMaxDynamicSharedMemorySize
static std::map<const void *, size_t> dynamic_limits;
// of kernels with cudaFuncAttributeNonPortableClusterSizeAllowed
static std::set<const void *> large_clusters;
static std::map<const void *, uint3> cluster_sizes;   // of kernels with __cluster_dims__

uintptr_t caller_in_program(uintptr_t pc)
{
    void *frames[64];
    int n = backtrace(frames, 64), i = 0;

    while (i < n && (uintptr_t)frames[i] != pc - 1)
        i++;
    while (i < n && in_image((uintptr_t)frames[i]) == Image::none)
        i++;
    return i < n && (uintptr_t)frames[i] != pc - 1 ? (uintptr_t)frames[i] : pc;
}

// Handles SIGSEGV: reports host code that accesses device memory, and a thread of a kernel whose
// variables do not fit into its stack, and leaves other faults to the default action.
static void on_fault(int, siginfo_t *info, void *context)
{
    const ucontext_t *c = (const ucontext_t *)context;
#if defined(__x86_64__)
    uintptr_t pc = (uintptr_t)c->uc_mcontext.gregs[REG_RIP] + 1;
    uintptr_t sp = (uintptr_t)c->uc_mcontext.gregs[REG_RSP];
#else
    uintptr_t pc = (uintptr_t)c->uc_mcontext.pc + 1, sp = (uintptr_t)c->uc_mcontext.sp;
#endif

    if (!worker && host_access((uintptr_t)info->si_addr, pc))
        return;   // the access repeats
    signal(SIGSEGV, SIG_DFL);
    if (!worker && is_host_copy((uintptr_t)info->si_addr)) {
        report({ "host code reads or writes " + host_copy_name((uintptr_t)info->si_addr) +
                     ", a __device__ or __constant__ variable: use cudaMemcpyFromSymbol or "
                     "cudaMemcpyToSymbol. On a GPU, it accesses a copy that kernels do not see",
                 caller_in_program(pc), "", 0, "on the host" });
        print_findings();
    }
    if (worker && worker->current && sp < worker->stack_low) {
        report({ stack_text, pc, "", 0, where(*worker, *worker->current) });
        print_findings();
    }
    if (!in_heap((uintptr_t)info->si_addr)) {
        report_full_stack(sp);
        return;   // the access repeats, and ends the program as usual
    }
    pc = caller_in_program(pc);
    report({ "host code reads or writes device memory: copy it with cudaMemcpy", pc, "", 0,
             "on the host" });
    print_findings();
}

// Before main(), so that the first access is caught.
__attribute__((constructor)) static void catch_faults()
{
    struct sigaction action = {};

    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
    sigaction(SIGSEGV, &action, nullptr);
}

struct Name {
    cudaError_t error;
    const char *name, *words;
};

static const Name names[] = {
    { cudaSuccess, "cudaSuccess", "no error" },
    { cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument" },
    { cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory" },
    { cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration",
      "invalid configuration argument" },
    { cudaErrorInvalidPitchValue, "cudaErrorInvalidPitchValue", "invalid pitch argument" },
    { cudaErrorInvalidSymbol, "cudaErrorInvalidSymbol", "invalid device symbol" },
    { cudaErrorInvalidDevicePointer, "cudaErrorInvalidDevicePointer", "invalid device pointer" },
    { cudaErrorInvalidChannelDescriptor, "cudaErrorInvalidChannelDescriptor",
      "invalid channel descriptor" },
    { cudaErrorInvalidMemcpyDirection, "cudaErrorInvalidMemcpyDirection",
      "invalid copy direction for memcpy" },
    { cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function" },
    { cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected" },
    { cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal" },
    { cudaErrorUnsupportedLimit, "cudaErrorUnsupportedLimit",
      "limit is not supported on this architecture" },
    { cudaErrorPeerAccessUnsupported, "cudaErrorPeerAccessUnsupported",
      "peer access is not supported between these two devices" },
    { cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle" },
    { cudaErrorIllegalState, "cudaErrorIllegalState",
      "the operation cannot be performed in the present state" },
    { cudaErrorNotReady, "cudaErrorNotReady", "device not ready" },
    { cudaErrorIllegalAddress, "cudaErrorIllegalAddress",
      "an illegal memory access was encountered" },
    { cudaErrorLaunchOutOfResources, "cudaErrorLaunchOutOfResources",
      "too many resources requested for launch" },
    { cudaErrorPeerAccessAlreadyEnabled, "cudaErrorPeerAccessAlreadyEnabled",
      "peer access is already enabled" },
    { cudaErrorPeerAccessNotEnabled, "cudaErrorPeerAccessNotEnabled",
      "peer access has not been enabled" },
    { cudaErrorAssert, "cudaErrorAssert", "device-side assert triggered" },
    { cudaErrorHostMemoryAlreadyRegistered, "cudaErrorHostMemoryAlreadyRegistered",
      "part or all of the requested memory range is already mapped" },
    { cudaErrorHostMemoryNotRegistered, "cudaErrorHostMemoryNotRegistered",
      "pointer does not correspond to a registered memory region" },
    { cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure" },
    { cudaErrorCooperativeLaunchTooLarge, "cudaErrorCooperativeLaunchTooLarge",
      "too many blocks in cooperative launch" },
    { cudaErrorNotPermitted, "cudaErrorNotPermitted", "operation not permitted" },
    { cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported" },
    { cudaErrorStreamCaptureUnsupported, "cudaErrorStreamCaptureUnsupported",
      "operation not permitted when stream is capturing" },
    { cudaErrorStreamCaptureInvalidated, "cudaErrorStreamCaptureInvalidated",
      "operation failed due to a previous error during capture" },
    { cudaErrorStreamCaptureUnmatched, "cudaErrorStreamCaptureUnmatched",
      "capture was not initiated in this stream" },
    { cudaErrorStreamCaptureImplicit, "cudaErrorStreamCaptureImplicit",
      "operation would make the legacy stream depend on a capturing blocking stream" },
    { cudaErrorGraphExecUpdateFailure, "cudaErrorGraphExecUpdateFailure",
      "the graph update was not performed because it included changes which violated constraints "
      "specific to instantiated graph update" },
    { cudaErrorInvalidClusterSize, "cudaErrorInvalidClusterSize", "invalid cluster size" },
};

static const Name &name_of(cudaError_t error)
{
    static const Name unknown = { cudaErrorUnknown, "cudaErrorUnknown", "unknown error" };

    for (const Name &n : names)
        if (n.error == error)
            return n;
    return unknown;
}

cudaError_t refused(cudaError_t error, const Call &c, const std::string &why)
{
    refuse_openly({ c.pc, error, c.name, name_of(error).words + (": " + why) });
    return error;
}

// Independent of the machine's cores: counts of a kernel whose grid depends on the number of SMs
// must be the same on every machine.
constexpr int DEFAULT_SMS = 2;
static int sms = DEFAULT_SMS;
constexpr int LAST_ATTRIBUTE = cudaDevAttrOnlyPartialHostNativeAtomicSupported;

cudaError_t unsupported(const char *what)
{
    note_limit((std::string("the CPU device does not support ") + what).c_str());
    return cudaErrorNotSupported;
}

static unsigned cores() { return (unsigned)sysconf(_SC_NPROCESSORS_ONLN); }

}   // namespace emu

using emu::last_error;

extern "C" {

size_t emu_dynamic_limit(const void *kernel);

__attribute__((weak)) void *emu_guarded(void *function) { return function; }

cudaError_t emu_failed(cudaError_t error)
{
    if (error != cudaSuccess)
        last_error = emu::call_error = error;
    return error;
}

void emu_begin_call(void)
{
    emu::call_error = cudaSuccess;
    emu::refuse_openly({});
}

void emu_drop_result(const char *function)
{
    if (emu::call_error != cudaSuccess)
        emu::refuse_silently(
            emu::refusal((uintptr_t)__builtin_return_address(0), emu::call_error, function));
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t error = last_error;
    last_error = cudaSuccess;
    emu::error_is_asked();
    return error;
}

void emu_l2(size_t bytes) { emu::l2_bytes = bytes; }
void emu_sms(int number) { emu::sms = number > 0 ? number : emu::DEFAULT_SMS; }

cudaError_t cudaPeekAtLastError(void)
{
    emu::error_is_asked();
    return last_error;
}
const char *cudaGetErrorName(cudaError_t error)
{
    emu::explain_error(error);
    return emu::name_of(error).name;
}
const char *cudaGetErrorString(cudaError_t error)
{
    emu::explain_error(error);
    return emu::name_of(error).words;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    emu::guard_result(count, sizeof *count, true, __builtin_return_address(0));
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
    emu::guard_result(device, sizeof *device, true, __builtin_return_address(0));
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    return emu_failed(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *)
{
    return cudaGetDevice(device);
}

// The limits that kernels must respect are those of compute capability 9.0. Properties that only a
// GPU has (clocks, bus, caches) are 0.
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    if (device != 0)
        return emu_failed(cudaErrorInvalidDevice);
    emu::guard_result(value, sizeof *value, true, __builtin_return_address(0));
    switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
    case cudaDevAttrMaxBlockDimX:
    case cudaDevAttrMaxBlockDimY: *value = emu::MAX_THREADS; break;
    case cudaDevAttrMaxBlockDimZ: *value = 64; break;
    case cudaDevAttrMaxGridDimX: *value = 0x7fffffff; break;
    case cudaDevAttrMaxGridDimY:
    case cudaDevAttrMaxGridDimZ: *value = 65535; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = emu::STATIC_SHARED; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = emu::OPTIN_SHARED; break;
    case cudaDevAttrTotalConstantMemory: *value = 64 << 10; break;
    case cudaDevAttrWarpSize: *value = emu::WARP; break;
    case cudaDevAttrMultiProcessorCount: *value = emu::sms; break;
    case cudaDevAttrL2CacheSize: *value = (int)emu::l2_bytes; break;
    case cudaDevAttrTextureAlignment: *value = emu::TEXTURE_ALIGNMENT; break;
    case cudaDevAttrTexturePitchAlignment: *value = emu::TEXTURE_PITCH_ALIGNMENT; break;
    case cudaDevAttrMaxTexture1DLinearWidth: *value = emu::MAX_LINEAR_TEXTURE; break;
    case cudaDevAttrMaxTexture2DWidth:
    case cudaDevAttrMaxTexture2DLinearWidth: *value = emu::MAX_TEXTURE_WIDTH; break;
    case cudaDevAttrMaxTexture2DHeight: *value = emu::MAX_TEXTURE_HEIGHT; break;
    case cudaDevAttrMaxTexture2DLinearHeight: *value = emu::MAX_PITCHED_TEXTURE_HEIGHT; break;
    case cudaDevAttrMaxTexture2DLinearPitch: *value = emu::MAX_PITCHED_TEXTURE_PITCH; break;
    case cudaDevAttrComputeCapabilityMajor: *value = 9; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = 2048; break;
    case cudaDevAttrMaxBlocksPerMultiprocessor: *value = 32; break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *value = emu::SM_SHARED; break;
    case cudaDevAttrReservedSharedMemoryPerBlock: *value = emu::RESERVED_SHARED; break;
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrHostRegisterSupported:
    case cudaDevAttrMemoryPoolsSupported:
    case cudaDevAttrClusterLaunch:
    case cudaDevAttrCooperativeLaunch: *value = 1; break;
    case cudaDevAttrMaxRegistersPerBlock:
    case cudaDevAttrMaxRegistersPerMultiprocessor: *value = 65536; break;
    case cudaDevAttrMaxPitch: *value = 0x7fffffff; break;
    default: *value = 0;
    }
    return attribute < 1 || attribute > emu::LAST_ATTRIBUTE ? emu_failed(cudaErrorInvalidValue)
                                                            : cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device)
{
    struct utsname host;
    size_t free;
    auto get = [&](enum cudaDeviceAttr attribute) {
        int value = 0;
        cudaDeviceGetAttribute(&value, attribute, 0);
        return value;
    };

    if (device != 0)
        return emu_failed(cudaErrorInvalidDevice);
    emu::guard_result(p, sizeof *p, true, __builtin_return_address(0));
    memset(p, 0, sizeof *p);
    uname(&host);
    snprintf(p->name, sizeof p->name, "CPU device (%u cores, %s)", emu::cores(), host.machine);
    cudaMemGetInfo(&free, &p->totalGlobalMem);
    p->major = get(cudaDevAttrComputeCapabilityMajor);
    p->minor = get(cudaDevAttrComputeCapabilityMinor);
    p->multiProcessorCount = get(cudaDevAttrMultiProcessorCount);
    p->warpSize = get(cudaDevAttrWarpSize);
    p->regsPerBlock = p->regsPerMultiprocessor = 65536;
    p->memPitch = 0x7fffffff;
    p->maxThreadsPerBlock = get(cudaDevAttrMaxThreadsPerBlock);
    for (int i = 0; i < 3; i++) {
        p->maxThreadsDim[i] = get((enum cudaDeviceAttr)(cudaDevAttrMaxBlockDimX + i));
        p->maxGridSize[i] = get((enum cudaDeviceAttr)(cudaDevAttrMaxGridDimX + i));
    }
    p->maxThreadsPerMultiProcessor = get(cudaDevAttrMaxThreadsPerMultiProcessor);
    p->maxBlocksPerMultiProcessor = get(cudaDevAttrMaxBlocksPerMultiprocessor);
    p->totalConstMem = (size_t)get(cudaDevAttrTotalConstantMemory);
    p->sharedMemPerBlock = (size_t)get(cudaDevAttrMaxSharedMemoryPerBlock);
    p->sharedMemPerBlockOptin = (size_t)get(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    p->sharedMemPerMultiprocessor = (size_t)get(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    p->reservedSharedMemPerBlock = (size_t)get(cudaDevAttrReservedSharedMemoryPerBlock);
    p->textureAlignment = (size_t)get(cudaDevAttrTextureAlignment);
    p->texturePitchAlignment = (size_t)get(cudaDevAttrTexturePitchAlignment);
    p->canMapHostMemory = p->unifiedAddressing = p->managedMemory = p->cooperativeLaunch = 1;
    p->hostRegisterSupported = p->memoryPoolsSupported = p->clusterLaunch = 1;
    p->maxTexture2D[0] = p->maxTexture2DLinear[0] = get(cudaDevAttrMaxTexture2DWidth);
    p->maxTexture2D[1] = get(cudaDevAttrMaxTexture2DHeight);
    p->maxTexture2DLinear[1] = get(cudaDevAttrMaxTexture2DLinearHeight);
    p->maxTexture2DLinear[2] = get(cudaDevAttrMaxTexture2DLinearPitch);
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void)
{
    if (cudaError_t error = emu::forbidden_by_capture(nullptr))
        return emu_failed(error);
    emu::wait_for_all();
    return cudaSuccess;
}
cudaError_t cudaDeviceReset(void) { return cudaDeviceSynchronize(); }
cudaError_t cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }
cudaError_t cudaThreadExit(void) { return cudaDeviceReset(); }

cudaError_t cudaRuntimeGetVersion(int *version)
{
    emu::guard_result(version, sizeof *version, true, __builtin_return_address(0));
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version)
{
    emu::guard_result(version, sizeof *version, true, __builtin_return_address(0));
    *version = 0;
    return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute, int value)
{
    if (attribute == cudaFuncAttributeNonPortableClusterSizeAllowed && value)
        emu::large_clusters.insert(kernel);
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout ||
        attribute == cudaFuncAttributeNonPortableClusterSizeAllowed)
        return cudaSuccess;   // a hint, without effect
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0 ||
        (size_t)value > emu::OPTIN_SHARED)
        return emu_failed(cudaErrorInvalidValue);
    emu::dynamic_limits[kernel] = (size_t)value;
    return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *kernel)
{
    if (!attributes || !kernel)
        return emu_failed(cudaErrorInvalidDeviceFunction);
    emu::guard_result(attributes, sizeof *attributes, true, __builtin_return_address(0));
    *attributes = {};
    attributes->maxThreadsPerBlock = emu::MAX_THREADS;
    attributes->maxDynamicSharedSizeBytes = (int)emu_dynamic_limit(kernel);
    attributes->ptxVersion = attributes->binaryVersion = 90;
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *, int threads,
                                                          size_t dynamic_shared)
{
    if (threads < 1 || threads > (int)emu::MAX_THREADS)
        return emu_failed(cudaErrorInvalidValue);
    emu::guard_result(blocks, sizeof *blocks, true, __builtin_return_address(0));
    int warps = (threads + (int)emu::WARP - 1) / (int)emu::WARP;
    *blocks = std::min(
        { 32, 64 / warps, (int)(emu::SM_SHARED / (dynamic_shared + emu::RESERVED_SHARED)) });
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *kernel,
                                                                   int threads,
                                                                   size_t dynamic_shared,
                                                                   unsigned int)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, threads, dynamic_shared);
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *, int blocks,
                                                      int threads)
{
    constexpr size_t UNIT = 128;   // in which shared memory is allocated
    int resident;

    if (!bytes || blocks < 1)
        return emu_failed(cudaErrorInvalidValue);
    if (cudaError_t error =
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, nullptr, threads, 0))
        return error;
    if (blocks > resident)
        return emu_failed(cudaErrorInvalidValue);
    emu::guard_result(bytes, sizeof *bytes, true, __builtin_return_address(0));
    *bytes = std::min(emu::OPTIN_SHARED,
                      emu::SM_SHARED / (size_t)blocks / UNIT * UNIT - emu::RESERVED_SHARED);
    return cudaSuccess;
}
cudaError_t cudaFuncGetName(const char **name, const void *)
{
    emu::guard_result(name, sizeof *name, true, __builtin_return_address(0));
    *name = "";
    return emu_failed(emu::unsupported("cudaFuncGetName"));
}

cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long,
                                    enum cudaDriverEntryPointQueryResult *result)
{
    if (!symbol || !function)
        return emu_failed(cudaErrorInvalidValue);
    bool is_known = strcmp(symbol, "cuTensorMapEncodeTiled") == 0;
    *function = is_known ? (void *)cuTensorMapEncodeTiled : nullptr;
    if (result)
        *result = is_known ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    return cudaSuccess;
}
cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned int,
                                             unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult *result)
{
    return cudaGetDriverEntryPoint(symbol, function, flags, result);
}

// What the attributes of a launch request. A kernel starts when the one before has ended, also by a
// programmatic dependent launch, but dependent.cpp checks that it waits for that one.
// has_clusters: *cluster is the size that the launch names.
cudaError_t emu_check_launch(const cudaLaunchConfig_t *config, bool *cooperative, uint3 *cluster,
                             bool *has_clusters)
{
    bool is_dependent = false;

    *cooperative = *has_clusters = false;
    for (unsigned i = 0; config && i < config->numAttrs; i++) {
        const cudaLaunchAttribute &a = config->attrs[i];

        if (a.id == cudaLaunchAttributeCooperative)
            *cooperative = a.val.cooperative;
        if (a.id == cudaLaunchAttributeProgrammaticStreamSerialization)
            is_dependent = a.val.programmaticStreamSerializationAllowed;
        if (a.id == cudaLaunchAttributeClusterDimension) {
            *cluster = { a.val.clusterDim.x, a.val.clusterDim.y, a.val.clusterDim.z };
            *has_clusters = true;
        }
    }
    emu::dependent_launch_wanted(is_dependent);
    return config ? cudaSuccess : emu_failed(cudaErrorInvalidValue);
}

// The largest number of blocks per cluster of a kernel.
unsigned emu_cluster_limit(const void *kernel)
{
    return emu::large_clusters.count(kernel) ? emu::MAX_CLUSTER : emu::PORTABLE_CLUSTER;
}

// Where the size is kept that a kernel demands by __cluster_dims__, 0 if it is not known; null for
// a launch without the kernel's address.
uint3 *emu_cluster_size(const void *kernel)
{
    return kernel ? &emu::cluster_sizes[kernel] : nullptr;
}

cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *kernel,
                                           const cudaLaunchConfig_t *config)
{
    uint3 size = { 1, 1, 1 };
    bool cooperative, named;
    int blocks = 0;

    emu::guard_result(clusters, sizeof *clusters, true, __builtin_return_address(0));
    if (cudaError_t error = emu_check_launch(config, &cooperative, &size, &named))
        return error;
    emu::dependent_launch_wanted(false);
    unsigned in_cluster = size.x * size.y * size.z;
    if (in_cluster == 0 || in_cluster > emu_cluster_limit(kernel))
        return emu_failed(cudaErrorInvalidClusterSize);
    cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, kernel, (int)(config->blockDim.x * config->blockDim.y * config->blockDim.z),
        config->dynamicSmemBytes);
    *clusters = emu::sms * blocks / (int)in_cluster;
    return error;
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, const void *kernel,
                                                 const cudaLaunchConfig_t *)
{
    emu::guard_result(size, sizeof *size, true, __builtin_return_address(0));
    *size = (int)emu_cluster_limit(kernel);
    return cudaSuccess;
}
cudaError_t cudaProfilerStart(void) { return cudaSuccess; }
cudaError_t cudaProfilerStop(void) { return cudaSuccess; }

// Bytes of dynamic shared memory that a launch of this kernel may request. For a launch without the
// kernel's address (null), the maximum over all kernels.
size_t emu_dynamic_limit(const void *kernel)
{
    size_t limit = emu::STATIC_SHARED;

    for (const auto &asked : emu::dynamic_limits)
        if (!kernel || asked.first == kernel)
            limit = std::max(limit, asked.second);
    return limit;
}

// Bytes of static and dynamic shared memory together.
size_t emu_shared_limit(const void *kernel)
{
    return emu::dynamic_limits.count(kernel) || (!kernel && !emu::dynamic_limits.empty())
             ? emu::OPTIN_SHARED
             : emu::STATIC_SHARED;
}
}
