// stage13: small arrays: a wave of blocks with the array in registers; overlapping launches (PDL)
//
// Stage 12 fills a ring first, which is slow if a block has few tiles. Here each block has one, in
// registers. It publishes the sum, and waits for those of all blocks before. There is at most one
// block per SM, so all run at the same time. More threads are better than more vectors.
//
//   blocks                     one             |  up to 132, one per SM            | above
//   threads x vectors    256x1  1024x1  1024x2 | 512x1   1024x1   1024x4   1024x8  | stage 12
//   up to n (4 bytes)    1024   4096    8192   | 270336  540672   2162688  4325376 |
//
// A block counts launches in its own word, so no block takes a ticket. Programmatic dependent
// launch: the next kernel may start as soon as all blocks of this one run. It waits before its
// first access until this one has ended. Look at: graph_us, beside CUB's.
// make stage13 && ./stage13 -n 65536        make diff A=12 B=13
// Needs: sm_90
// Expect (cpu, 65536): st_requests == 512 + 32 + 15
#include "ring.h"

using namespace ring;     // Rows, vec16 and its functions
using namespace stage8;   // published, publish(), look_at()
using stage9::warp_sum, stage10::sum_between;

constexpr int MOST = 512;   // blocks

// In place of scratch memory, where stage 12 counts its launches: a `published` for elements of 4
// bytes, and one for 8. A flag is twice the number of launches of more than one block.
__device__ uint64_t memory[2][1 + 2 * MOST];

// Publishes the sum of this block, and returns that of all blocks before it. A warp calls it.
template <class T> __device__ T sum_before(published *shared, T total, unsigned launch)
{
    int lane = threadIdx.x % 32, b = blockIdx.x, last = gridDim.x - 1;

    if (lane == 0)
        publish(shared, b, total, 2 * launch);
    T sum = sum_between<T>(shared, 0, b, launch);
    for (int absent = b + 1 + lane; b == last && absent < MOST; absent += 32)
        publish(shared, absent, total, 2 * launch);   // not launched: they count this launch, too
    return sum;
}

// A warp has VECTORS rows of 32 vectors.
template <int THREADS, int VECTORS, class T>
__global__ void __launch_bounds__(THREADS, 1)
    scan_wave(const T *in, T *out, long long n, bool exclusive)
{
    const int WARPS = THREADS / 32, WIDTH = vec16<T>::WIDTH;
    __shared__ T warp_sums[WARPS], before_block;
    published *shared = (published *)memory[sizeof(T) / 8];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    long long first = ((blockIdx.x * WARPS + warp) * VECTORS * 32LL + lane) * WIDTH;
    Rows<T, VECTORS> rows;
    unsigned launch = 0;
    T sum;

    cudaTriggerProgrammaticLaunchCompletion();   // the next kernel may start
    cudaGridDependencySynchronize();             // the previous one has ended
    if (gridDim.x > 1 && warp == 0)              // no other block of this launch stores this word
        launch = look_at(shared, blockIdx.x, &sum) / 2 + 1;
    for (int r = 0; r < VECTORS; r++)
        rows.v[r] = load_vector(in, first + r * rows.ROW, n);
    sum = rows.sum();
    if (lane == 0)
        warp_sums[warp] = sum;
    __syncthreads();
    sum = lane < WARPS ? warp_sums[lane] : 0;
    T before = warp_sum(lane < warp ? sum : 0);
    if (gridDim.x > 1 && warp == 0) {
        sum = sum_before(shared, warp_sum(sum), launch);
        if (lane == 0)
            before_block = sum;
    }
    rows.scan();   // while warp 0 waits
    if (gridDim.x > 1) {
        __syncthreads();
        before += before_block;
    }
    rows.store(out, first, n, before, exclusive);
}

// Launches the kernel if n elements are at most `most` tiles, one per SM. Returns whether it has.
template <int THREADS, int VECTORS, class T>
bool launch_wave(const T *in, T *out, long long n, bool exclusive, int most = MOST)
{
    long long blocks = ceil_div(n, THREADS * VECTORS * vec16<T>::WIDTH);
    cudaLaunchAttribute pdl;
    cudaLaunchConfig_t config = { dim3(blocks), dim3(THREADS), 0, cudaStreamPerThread, &pdl, 1 };

    if (blocks > min(most, multiprocessors()))
        return false;
    pdl.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    pdl.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchKernelEx(&config, scan_wave<THREADS, VECTORS, T>, in, out, n, exclusive);
    return true;
}

template <class T> void scan_array(const T *in, T *out, long long n, bool exclusive)
{
    if (!launch_wave<256, 1>(in, out, n, exclusive, 1) &&
        !launch_wave<1024, 1>(in, out, n, exclusive, 1) &&
        !launch_wave<1024, 2>(in, out, n, exclusive, 1) &&
        !launch_wave<512, 1>(in, out, n, exclusive) &&
        !launch_wave<1024, 1>(in, out, n, exclusive) &&
        !launch_wave<1024, 4>(in, out, n, exclusive) &&
        !launch_wave<1024, 8>(in, out, n, exclusive))
        launch_ring(stage12::scan_tiles<T>, stage12::BLOCK, in, out, n, exclusive, true);
}

void scan(const void *in, void *out, long long n, enum type type, int exclusive)
{
    BY_TYPE(type, scan_array, in, out, n, exclusive);
}
