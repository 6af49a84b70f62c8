// Clusters of several blocks: launches, special registers, the cluster's barrier, distributed
// shared memory, multicast. With the argument "early", operations take effect at once.
#include <stdio.h>
#include <string.h>

#include "clusters.h"
#include "ok.h"

#ifdef EMU_CPU_DEVICE
#include "emu.h"
#endif

enum { T = 64 };   // threads per block

// Launches with clusters by an attribute.
template <class... P, class... A>
static cudaError_t launch(void (*kernel)(P...), dim3 grid, dim3 cluster, size_t bytes, A... args)
{
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute a = {};

    a.id = cudaLaunchAttributeClusterDimension;
    a.val.clusterDim.x = cluster.x;
    a.val.clusterDim.y = cluster.y;
    a.val.clusterDim.z = cluster.z;
    config.gridDim = grid;
    config.blockDim = dim3(T);
    config.dynamicSmemBytes = bytes;
    config.attrs = &a;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, kernel, (P)args...);
}

// ---- places ----

#define REGISTER(name)                                     \
    [] {                                                   \
        unsigned v;                                        \
        asm volatile("mov.u32 %0, %%" name ";" : "=r"(v)); \
        return (int)v;                                     \
    }()

__global__ void __cluster_dims__(2, 2, 1) places(int *out)
{
    cg::cluster_group c = cg::this_cluster();
    int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    int *o = out + block * 16;

    if (threadIdx.x)
        return;
    o[0] = REGISTER("cluster_ctarank");
    o[1] = REGISTER("cluster_ctaid.x") + 10 * REGISTER("cluster_ctaid.y");
    o[2] = REGISTER("clusterid.x") + 10 * REGISTER("clusterid.y") + 100 * REGISTER("clusterid.z");
    o[3] = REGISTER("nclusterid.x") + 10 * REGISTER("nclusterid.y");
    o[4] = REGISTER("cluster_nctaid.x") + 10 * REGISTER("cluster_nctaid.y");
    o[5] = REGISTER("cluster_nctarank");
    o[6] = (int)c.block_rank() + 10 * (int)c.num_blocks();
    o[7] = (int)c.block_index().x + 10 * (int)c.block_index().y;
    o[8] = (int)c.thread_rank();
    o[9] = (int)c.num_threads();
    o[10] = (int)c.dim_blocks().y;
    o[11] = 7;
}

static int place(int i)
{
    int block = i / 16, x = block % 4, y = block / 4 % 2, z = block / 8, rank = y % 2 * 2 + x % 2;

    switch (i % 16) {
    case 0: return rank;
    case 1: return x % 2 + 10 * y;
    case 2: return x / 2 + 100 * z;
    case 3: return 2 + 10;
    case 4: return 22;
    case 5: return 4;
    case 6: return rank + 40;
    case 7: return x % 2 + 10 * y;
    case 8: return rank * T;
    case 9: return 4 * T;
    case 10: return 2;
    case 11: return 7;
    default: return 0;
    }
}

// ---- distributed shared memory ----

// Each block reads, stores and adds at the next one's. Variables are used in another order by odd
// blocks, which changes nothing.
__global__ void neighbors(int *out)
{
    __shared__ int own[T], from_next[T];
    __shared__ int sum;
    cg::cluster_group c = cg::this_cluster();
    unsigned rank = c.block_rank(), next = (rank + 1) % c.num_blocks();
    int t = threadIdx.x;

    if (rank % 2)
        from_next[t] = 0;
    own[t] = (int)(rank * 100) + t;
    from_next[t] = 0;
    if (t == 0)
        sum = 0;
    c.sync();
    int v = *c.map_shared_rank(&own[t], (int)next);
    *c.map_shared_rank(&from_next[t], (int)next) = v + 1000;
    atomicAdd(c.map_shared_rank(&sum, 0), 1);
    c.sync();
    out[blockIdx.x * T + t] = from_next[t] + (rank == 0 ? sum * 10000 : 0);
}

__global__ void neighbors_ptx(int *out)
{
    extern __shared__ int dynamic[];
    int *own = dynamic, *from_next = dynamic + T, *sum = dynamic + 2 * T;
    unsigned rank = cluster_rank(), next = rank ^ 1;
    int t = threadIdx.x;

    own[t] = (int)(rank * 100) + t;
    from_next[t] = 0;
    if (t == 0)
        *sum = 0;
    cluster_sync();
    int v = remote_load(&own[t], next);
    remote_store(&from_next[t], next, v + 1000);
    remote_add(sum, 0, 1);
    cluster_arrive();
    cluster_wait();
    out[blockIdx.x * T + t] = from_next[t] + (rank == 0 ? *sum * 10000 : 0);
}

// A generic address of another block; its rank.
__global__ void generic_addresses(int *out)
{
    __shared__ int v;
    unsigned rank = cluster_rank(), of = 9;
    uint64_t there;

    if (threadIdx.x == 0)
        v = 5 + (int)rank;
    cluster_sync();
    asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(&v), "r"(1 - rank));
    asm("getctarank.u64 %0, %1;" : "=r"(of) : "l"(there));
    if (threadIdx.x == 0)
        out[blockIdx.x] = *(int *)there * 10 + (int)of;
    cluster_sync();
}

// What one block stores to global memory, another one reads after the cluster's barrier.
__global__ void through_global(int *out, int *space)
{
    unsigned rank = cluster_rank();

    space[blockIdx.x * T + threadIdx.x] = (int)(blockIdx.x * T + threadIdx.x);
    cluster_sync();
    out[blockIdx.x * T + threadIdx.x] =
        space[(blockIdx.x - rank + (rank + 1) % 4) * T + threadIdx.x];
}

// ---- mbarriers and copies ----

// Each block produces for the next one: st.async, red.async, or a bulk copy.
__global__ void pass_on(int *out, int how)
{
    __shared__ alignas(16) int got[T], own[T];
    __shared__ uint64_t full;
    unsigned rank = cluster_rank(), next = (rank + 1) % 4;
    int t = threadIdx.x;

    if (t == 0) {
        mbarrier_init(&full, 1);
        fence_mbarrier_init();
    }
    own[t] = (int)rank * 1000 + t;
    got[t] = 1;
    fence_proxy_async();
    __syncthreads();
    cluster_sync();
    if (t == 0)
        mbarrier_arrive_expect_tx(&full, sizeof got);
    if (how == 0)
        store_async(&got[t], next, own[t], &full);
    else if (how == 1)
        add_async(&got[t], next, own[t], &full);
    else if (t == 0)
        copy_to_block(got, next, own, sizeof got, &full);
    mbarrier_wait(&full, 0);
    out[blockIdx.x * T + t] = got[t];
    cluster_sync();
}

// A ring of two buffers in each of two blocks. The first loads halves for both, the other one the
// other halves; each waits until both have read.
__global__ void multicast_ring(const int *in, int *out)
{
    __shared__ alignas(128) int ring[2][2][T];
    __shared__ uint64_t full[2], empty[2];
    unsigned rank = cluster_rank();
    int t = threadIdx.x, sum = 0;

    if (t == 0) {
        for (int i = 0; i < 2; i++) {
            mbarrier_init(&full[i], 1);
            mbarrier_init(&empty[i], 2);
        }
        fence_mbarrier_init();
    }
    cluster_arrive_relaxed();
    cluster_wait();
    for (int i = 0; i < 6; i++) {
        int s = i % 2, phase = i / 2 % 2;

        if (t == 0) {
            if (i >= 2)
                mbarrier_wait(&empty[s], phase ^ 1);
            mbarrier_arrive_expect_tx(&full[s], sizeof ring[s]);
            multicast(ring[s][rank], in + (2 * i + rank) * T, sizeof ring[s][rank], &full[s], 3);
        }
        mbarrier_wait(&full[s], phase);
        sum += ring[s][0][t] * 2 + ring[s][1][t];
        __syncthreads();
        if (t < 2)
            remote_arrive(&empty[s], t);
    }
    out[blockIdx.x * T + t] = sum;
    cluster_sync();
}

__global__ void multicast_box(const __grid_constant__ CUtensorMap map, int *out)
{
    __shared__ alignas(128) int tile[4][16];
    __shared__ uint64_t full;
    unsigned rank = cluster_rank();
    int t = threadIdx.x;

    if (t == 0) {
        mbarrier_init(&full, 1);
        fence_mbarrier_init();
        mbarrier_arrive_expect_tx(&full, sizeof tile);
    }
    cluster_sync();
    if (rank == 1 && t == 0)
        tma_multicast_2d(tile, &map, 8, 2, &full, 0xd);
    if (rank != 1)
        mbarrier_wait(&full, 0);
    out[blockIdx.x * T + t] = rank == 1 ? 0 : tile[t / 16][t % 16];
    cluster_sync();
}

static void multicasts()
{
    int *in, host[16 * T];
    CUtensorMap map;
    cuuint64_t dim[] = { 32, 32 }, stride[] = { 128 };
    cuuint32_t box[] = { 16, 4 }, ones[] = { 1, 1 };

    for (int i = 0; i < 16 * T; i++)
        host[i] = i * i % 1009;
    cudaMalloc(&in, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
#ifdef EMU_CPU_DEVICE
    emu_reset();
#endif
    gives<int>(
        4 * T, [&](int *out) { launch(multicast_ring, 4, 2, 0, in, out); },
        [&](int i) {
            int sum = 0;
            for (int k = 0; k < 6; k++)
                sum += host[2 * k * T + i % T] * 2 + host[(2 * k + 1) * T + i % T];
            return sum;
        },
        "two buffers that two blocks fill for both");
#ifdef EMU_CPU_DEVICE
    emu_counts c;
    emu_totals(&c);
    ok(c.bulk_ld_requests == 24 && c.bulk_ld_bytes == 24 * T * 4 && c.multicast_bytes == 24 * T * 4,
       "a multicast reads global memory once, and saves what it delivers to other blocks");
#endif
    cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, in, dim, stride, box, ones,
                           CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                           CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    gives<int>(
        4 * T, [&](int *out) { launch(multicast_box, 4, 4, 0, map, out); },
        [&](int i) {
            int t = i % T;
            return i / T == 1 ? 0 : host[(2 + t / 16) * 32 + 8 + t % 16];
        },
        "a multicast of a box to some blocks of the cluster, not to that of the thread");
    cudaFree(in);
}

// ---- refusals ----

static void refusals(int *out)
{
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute a = {};
    int clusters = 0, size = 0;

    ok(launch(neighbors, 3, 2, 0, out) == cudaErrorInvalidClusterSize,
       "a grid that is not a multiple of the cluster is refused");
    ok(launch(neighbors, 16, 16, 0, out) == cudaErrorInvalidClusterSize,
       "a cluster of more than 8 blocks is refused");
    cudaFuncSetAttribute(neighbors, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    ok(launch(neighbors, 16, 16, 0, out) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess,
       "16 blocks are possible with cudaFuncAttributeNonPortableClusterSizeAllowed");
    ok(launch(places, dim3(4, 2, 2), dim3(2, 1, 1), 0, out) != cudaSuccess,
       "a launch with another size than __cluster_dims__ is refused");
    cudaGetLastError();
    a.id = cudaLaunchAttributeClusterDimension;
    a.val.clusterDim.x = 4;
    a.val.clusterDim.y = a.val.clusterDim.z = 1;
    config.gridDim = dim3(4);
    config.blockDim = dim3(1024);
    config.attrs = &a;
    config.numAttrs = 1;
    ok(cudaOccupancyMaxActiveClusters(&clusters, pass_on, &config) == cudaSuccess && clusters > 0,
       "cudaOccupancyMaxActiveClusters");
    ok(cudaOccupancyMaxPotentialClusterSize(&size, pass_on, &config) == cudaSuccess && size == 8,
       "cudaOccupancyMaxPotentialClusterSize");
}

#ifdef EMU_CPU_DEVICE
static void neighbors_are_counted()
{
    emu_counts c;

    emu_totals(&c);
    // The first block's own atomics are not among them.
    ok(c.cluster_requests == 8 * 2 * 2 + 6 * 2 && c.cluster_bytes == (8 * 2 + 6) * T * 4,
       "accesses to shared memory of other blocks are counted");
    ok(!emu_is_asynchronous(), "none of them takes effect late");
}
#endif

int main(int argc, char **argv)
{
    int *space;

#ifdef EMU_CPU_DEVICE
    if (argc > 1 && strcmp(argv[1], "early") == 0)
        emu_land_early(1);
#else
    (void)argc, (void)argv;
#endif
    cudaMalloc(&space, 16 * T * sizeof *space);
    // Supported: clusters of several blocks: `__cluster_dims__`, the launch attribute,
    // `this_cluster()`
    gives<int>(
        16 * 16, [](int *out) { places<<<dim3(4, 2, 2), T>>>(out); }, place,
        "the place of a block in its cluster, with __cluster_dims__");
#ifdef EMU_CPU_DEVICE
    emu_reset();
#endif
    gives<int>(
        8 * T, [](int *out) { launch(neighbors, 8, 4, 0, out); },
        [](int i) {
            int rank = i / T % 4;
            return rank * 100 + i % T + 1000 + (rank == 0 ? 4 * T * 10000 : 0);
        },
        "loads, stores and atomics in shared memory of other blocks");
#ifdef EMU_CPU_DEVICE
    neighbors_are_counted();
#endif
    gives<int>(
        4 * T, [](int *out) { launch(neighbors_ptx, 4, 2, (2 * T + 1) * sizeof(int), out); },
        [](int i) {
            int rank = i / T % 2;
            return rank * 100 + i % T + 1000 + (rank == 0 ? 2 * T * 10000 : 0);
        },
        "the same in PTX, with dynamic shared memory");
    gives<int>(
        4, [](int *out) { launch(generic_addresses, 4, 2, 0, out); },
        [](int i) { return (5 + 1 - i % 2) * 10 + 1 - i % 2; }, "mapa and getctarank");
    gives<int>(
        8 * T, [&](int *out) { launch(through_global, 8, 4, 0, out, space); },
        [](int i) { return (i / T / 4 * 4 + (i / T % 4 + 1) % 4) * T + i % T; },
        "the cluster's barrier orders accesses to global memory");
    for (int how = 0; how < 3; how++)
        gives<int>(
            8 * T, [&](int *out) { launch(pass_on, 8, 4, 0, out, how); },
            [&](int i) { return (i / T + 3) % 4 * 1000 + i % T + (how == 1); },
            how == 0   ? "st.async to another block"
            : how == 1 ? "red.async"
                       : "a bulk copy to another block");
    multicasts();
    refusals(space);
    cudaFree(space);
    printf("1..%d\n", tests);
    return 0;
}
