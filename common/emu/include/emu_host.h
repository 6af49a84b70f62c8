// Host functions of the CUDA runtime that are templates or overloads in C++.
#ifndef EMU_HOST_H
#define EMU_HOST_H

extern "C" {
cudaError_t emu_symbol_copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            const void *symbol, size_t symbol_bytes,
                            cudaStream_t stream EMU_DEFAULT(0),
                            bool is_asynchronous EMU_DEFAULT(false));
void *emu_symbol_address(const volatile void *symbol);
// Refuses a launch through a void pointer, which does not give the types of the kernel's
// parameters: returns cudaErrorNotSupported and prints the name of the call.
cudaError_t emu_untyped_launch(const char *call);
}

// ---- memory ----

template <class T> cudaError_t cudaMalloc(T **pointer, size_t bytes)
{
    return cudaMalloc((void **)pointer, bytes);
}
template <class T>
cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height)
{
    return cudaMallocPitch((void **)pointer, pitch, width, height);
}
template <class T>
cudaError_t cudaMallocHost(T **pointer, size_t bytes, unsigned = cudaHostAllocDefault)
{
    return cudaMallocHost((void **)pointer, bytes);
}
template <class T> cudaError_t cudaHostAlloc(T **pointer, size_t bytes, unsigned flags)
{
    return cudaHostAlloc((void **)pointer, bytes, flags);
}
template <class T> cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned flags)
{
    return cudaHostGetDevicePointer((void **)device, host, flags);
}
template <class T>
cudaError_t cudaMallocManaged(T **pointer, size_t bytes, unsigned flags = cudaMemAttachGlobal)
{
    return cudaMallocManaged((void **)pointer, bytes, flags);
}
template <class T> cudaError_t cudaMallocAsync(T **pointer, size_t bytes, cudaStream_t stream)
{
    return cudaMallocAsync((void **)pointer, bytes, stream);
}
template <class T>
cudaError_t cudaMallocAsync(T **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)
{
    return cudaMallocFromPoolAsync((void **)pointer, bytes, pool, stream);
}
template <class T>
cudaError_t cudaMallocFromPoolAsync(T **pointer, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream)
{
    return cudaMallocFromPoolAsync((void **)pointer, bytes, pool, stream);
}

template <class T>
cudaError_t cudaMemcpyToSymbol(T &symbol, const void *from, size_t bytes, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return emu_symbol_copy((char *)&symbol + offset, from, bytes, kind, (const void *)&symbol,
                           sizeof symbol);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void *to, T &symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return emu_symbol_copy(to, (const char *)&symbol + offset, bytes, kind, (const void *)&symbol,
                           sizeof symbol);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(T &symbol, const void *from, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream = 0)
{
    return emu_symbol_copy((char *)&symbol + offset, from, bytes, kind, (const void *)&symbol,
                           sizeof symbol, stream, true);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void *to, T &symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream = 0)
{
    return emu_symbol_copy(to, (const char *)&symbol + offset, bytes, kind, (const void *)&symbol,
                           sizeof symbol, stream, true);
}
template <class T> cudaError_t cudaGetSymbolAddress(void **pointer, T &symbol)
{
    *pointer = emu_symbol_address(&symbol);
    return cudaSuccess;
}
template <class T> cudaError_t cudaGetSymbolSize(size_t *bytes, T &symbol)
{
    *bytes = sizeof symbol;
    return cudaSuccess;
}

inline cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, cudaMemLocation location,
                                        unsigned flags, cudaStream_t stream = 0)
{
    return cudaMemPrefetchAsync_v2(pointer, bytes, location, flags, stream);
}
inline cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, cudaMemoryAdvise advice,
                                 cudaMemLocation location)
{
    return cudaMemAdvise_v2(pointer, bytes, advice, location);
}

inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags)
{
    return cudaEventCreateWithFlags(event, flags);
}

// ---- kernels ----

template <class T>
cudaError_t cudaFuncSetAttribute(T *kernel, cudaFuncAttribute attribute, int value)
{
    return cudaFuncSetAttribute((const void *)kernel, attribute, value);
}
template <class T> cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, T *kernel)
{
    return cudaFuncGetAttributes(attributes, (const void *)kernel);
}
template <class T> cudaError_t cudaFuncSetCacheConfig(T *, cudaFuncCache) { return cudaSuccess; }
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T *kernel, int threads,
                                                          size_t dynamic_shared)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, threads,
                                                         dynamic_shared);
}
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T *kernel,
                                                                   int threads,
                                                                   size_t dynamic_shared, unsigned)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, threads,
                                                         dynamic_shared);
}
template <class T>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, T *kernel, int blocks,
                                                      int threads)
{
    return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void *)kernel, blocks, threads);
}
template <class T> cudaError_t cudaFuncSetSharedMemConfig(T *, cudaSharedMemConfig)
{
    return cudaSuccess;
}
template <class T>
cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, T *kernel,
                                           const cudaLaunchConfig_t *config)
{
    return cudaOccupancyMaxActiveClusters(clusters, (const void *)kernel, config);
}
template <class T>
cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, T *kernel,
                                                 const cudaLaunchConfig_t *config)
{
    return cudaOccupancyMaxPotentialClusterSize(size, (const void *)kernel, config);
}
// Registers, which limit the block size on a GPU, are not known. Returns the largest block size,
// with which all threads of an SM can be resident.
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, T *kernel,
                                               size_t dynamic_shared = 0, int limit = 0)
{
    int sms = 0, blocks = 0;

    *block = limit > 0 && limit < 1024 ? limit : 1024;
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)kernel,
                                                                      *block, dynamic_shared);
    *grid = sms * blocks;
    return error;
}
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, T *kernel,
                                                        size_t dynamic_shared = 0, int limit = 0,
                                                        unsigned = cudaOccupancyDefault)
{
    return cudaOccupancyMaxPotentialBlockSize(grid, block, kernel, dynamic_shared, limit);
}
// `bytes`: a function from the threads of a block to its dynamic shared memory. The block size with
// the most resident threads, and of these the largest.
template <class Bytes, class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, T *kernel,
                                                           Bytes bytes, int limit = 0)
{
    int sms = 0, most = 0;

    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    *grid = *block = 0;
    for (int threads = limit > 0 && limit < 1024 ? limit : 1024; threads > 0;
         threads = (threads - 1) / 32 * 32) {
        int blocks = 0;
        cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &blocks, (const void *)kernel, threads, bytes(threads));
        if (error != cudaSuccess)
            return error;
        if (blocks * threads > most) {
            most = blocks * threads;
            *block = threads;
            *grid = blocks * sms;
        }
    }
    return cudaSuccess;
}
template <class Bytes, class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *grid, int *block,
                                                                    T *kernel, Bytes bytes,
                                                                    int limit = 0,
                                                                    unsigned = cudaOccupancyDefault)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, kernel, bytes, limit);
}

// The source pass writes these names in place of cudaLaunchKernel(kernel, ...) and
// cudaLaunchCooperativeKernel(kernel, ...).
template <class... P, size_t... I>
cudaError_t emu_launch_pointers(const char *name, void (*kernel)(P...), dim3 grid, dim3 block,
                                void **args, size_t shared, cudaStream_t stream, bool cooperative,
                                std::index_sequence<I...>)
{
    emu_pack_for<P...> p = { { emu_kept<P>(*(P *)args[I])... }, kernel };
    return emu_run(name, (const void *)kernel, grid, block, shared, p.thread, &p, sizeof p,
                   emu_argument_types<P...>(), cooperative, stream, true);
}
template <class... P>
cudaError_t emu_cudaLaunchKernel(const char *name, void (*kernel)(P...), dim3 grid, dim3 block,
                                 void **args, size_t shared = 0, cudaStream_t stream = 0)
{
    return emu_launch_pointers(name, kernel, grid, block, args, shared, stream, false,
                               std::index_sequence_for<P...>());
}
template <class... P>
cudaError_t emu_cudaLaunchCooperativeKernel(const char *name, void (*kernel)(P...), dim3 grid,
                                            dim3 block, void **args, size_t shared = 0,
                                            cudaStream_t stream = 0)
{
    return emu_launch_pointers(name, kernel, grid, block, args, shared, stream, true,
                               std::index_sequence_for<P...>());
}
extern "C" const uint3 *emu_clusters_of_launch(bool has_clusters, const uint3 *size);
extern "C" cudaError_t emu_check_launch(const cudaLaunchConfig_t *, bool *cooperative,
                                        uint3 *cluster, bool *has_clusters);
#pragma push_macro("gridDim")
#pragma push_macro("blockDim")
#undef gridDim
#undef blockDim
template <class... P, class... A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(P...), A &&...args)
{
    emu_pack_for<P...> p = { { emu_kept<P>(args)... }, kernel };
    bool cooperative, has_clusters;
    uint3 cluster;

    if (cudaError_t error = emu_check_launch(config, &cooperative, &cluster, &has_clusters))
        return error;
    return emu_run("kernel", (const void *)kernel, config->gridDim, config->blockDim,
                   config->dynamicSmemBytes, p.thread, &p, sizeof p, emu_argument_types<P...>(),
                   cooperative, config->stream, true,
                   emu_clusters_of_launch(has_clusters, &cluster));
}
#pragma pop_macro("blockDim")
#pragma pop_macro("gridDim")
inline cudaError_t emu_cudaLaunchKernel(const char *, const void *, dim3, dim3, void **, size_t = 0,
                                        cudaStream_t = 0)
{
    return emu_untyped_launch("cudaLaunchKernel");
}
inline cudaError_t emu_cudaLaunchCooperativeKernel(const char *, const void *, dim3, dim3, void **,
                                                   size_t = 0, cudaStream_t = 0)
{
    return emu_untyped_launch("cudaLaunchCooperativeKernel");
}

#endif
