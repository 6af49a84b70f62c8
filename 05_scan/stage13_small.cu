// stage13: small arrays: one wave of blocks, as large as the size needs; overlapping launches (PDL)
//
// An array of at most 2^18 floats takes microseconds: of a launch, of loads, of the look-ahead.
// Stage 12 is slow there: a ring is filled for one tile, and a tile per SM uses few SMs. Here a
// block has its tile in registers, from 4 KB to 32 KB, and waits for the sums of all blocks before.
//
//   4-byte elements   up to 2^10   2^12   2^13 | 2^15   2^16   2^17   2^18 | above
//   blocks                     1      1      1 |   32     32     32     32 | stage 12
//   threads x vectors      256x1  512x2  512x4 | 256x1  256x2  512x2  512x4 |
//
// A block counts launches in its own word, so no block takes a ticket. Programmatic dependent
// launch: the next kernel may start as soon as all blocks of this one run. It waits before its
// first access until this one has ended. Look at: graph_us, beside CUB's.
// make stage13 && ./stage13 -n 65536        make diff A=12 B=13
// Needs: sm_90
// Expect (cpu, 65536): st_requests == 512 + 32
#include "ring.h"

using namespace ring;     // Rows, vec16 and its functions
using namespace stage8;   // published, publish(), look_at()
using stage9::warp_sum;

constexpr int MOST = 32;   // blocks

// In place of scratch memory, where stage 12 counts its launches: a `published` with two words per
// block, of which elements of 4 bytes use the first. A flag is the number of launches of more than
// one block.
__device__ uint64_t memory[1 + 2 * MOST];

// Publishes the sum of this block, and returns that of all blocks before it. A warp calls it.
template <class T> __device__ T sum_before(T total)
{
    const int STEP = 8 / sizeof(T);   // block b has words[2 b] for any T
    published *shared = (published *)memory;
    int lane = threadIdx.x % 32, b = blockIdx.x, last = gridDim.x - 1;
    unsigned launch = 0;
    T sum = 0;

    if (lane == 0)   // no other block of this launch writes it
        launch = (*(volatile uint64_t *)&shared->words[2 * b] >> 32) + 1;
    launch = __shfl_sync(0xffffffff, launch, 0);
    if (lane == b || (b == last && lane > last))   // the last block: also for those not launched
        publish(shared, lane * STEP, total, launch);
    while (lane < b && look_at(shared, lane * STEP, &sum) != launch)
        ;
    return warp_sum(sum);
}

// A warp has VECTORS rows of 32 vectors. There are at most as many blocks as SMs, so all of them
// run at the same time.
template <int THREADS, int VECTORS, class T>
__global__ void __launch_bounds__(THREADS)
    scan_wave(const T *in, T *out, long long n, bool exclusive)
{
    const int WARPS = THREADS / 32, WIDTH = vec16<T>::WIDTH;
    __shared__ T warp_sums[WARPS], before_block;
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    long long first = ((blockIdx.x * WARPS + warp) * VECTORS * 32 + lane) * WIDTH;
    Rows<T, VECTORS> rows;

    cudaTriggerProgrammaticLaunchCompletion();   // the next kernel may start
    cudaGridDependencySynchronize();             // the previous one has ended
    for (int r = 0; r < VECTORS; r++)
        rows.v[r] = load_vector(in, first + r * rows.ROW, n);
    T sum = rows.scan();
    if (lane == 0)
        warp_sums[warp] = sum;
    __syncthreads();
    sum = lane < WARPS ? warp_sums[lane] : 0;
    T before = warp_sum(lane < warp ? sum : 0);
    if (gridDim.x > 1) {
        if (warp == 0)
            before_block = sum_before(warp_sum(sum));
        __syncthreads();
        before += before_block;
    }
    rows.store(out, first, n, before, exclusive);
}

// Launches the kernel if n elements are at most `most` tiles, one per SM. Returns whether it has.
template <int THREADS, int VECTORS, class T>
bool launch_wave(const T *in, T *out, long long n, bool exclusive, int most)
{
    int blocks = (int)ceil_div(n, THREADS * VECTORS * vec16<T>::WIDTH);
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
        !launch_wave<512, 2>(in, out, n, exclusive, 1) &&
        !launch_wave<512, 4>(in, out, n, exclusive, 1) &&
        !launch_wave<256, 1>(in, out, n, exclusive, MOST) &&
        !launch_wave<256, 2>(in, out, n, exclusive, MOST) &&
        !launch_wave<512, 2>(in, out, n, exclusive, MOST) &&
        !launch_wave<512, 4>(in, out, n, exclusive, MOST))
        stage12::scan_array(in, out, n, exclusive);
}

void scan(const void *in, void *out, long long n, enum type type, int exclusive)
{
    BY_TYPE(type, scan_array, in, out, n, exclusive);
}
