// stage13: small arrays: one wave of blocks, as large as the size needs; overlapping launches (PDL)
//
// An array of at most 2^18 floats takes microseconds: of a launch, of loads, of the look-ahead.
// Stage 12 is slow there: a ring is filled for one tile, and a tile per SM uses few SMs. Here a
// block has its tile in registers, from 4 KB to 32 KB, and waits for the sums of all blocks before
// it.
//
//   4-byte elements   up to 2^10   2^12   2^13 | 2^15   2^16   2^17   2^18 | above
//   blocks                     1      1      1 |   32     32     32     32 | stage 12
//   threads x vectors      256x1  512x2  512x4 | 256x1  256x2  512x2  512x4 |
//
// Programmatic dependent launch: the next kernel may start as soon as all blocks of this one run.
// It waits before its first access until this one has ended. Look at: graph_us, beside CUB's.
// make stage13 && ./stage13 -n 65536        make diff A=12 B=13
// Needs: sm_90
// Expect (cpu, 65536): st_requests == 512 + 32 + 1
#include "ring.h"

using stage10::sum_between;
using stage3::lanes_before, stage3::warp_scan;
using stage4::load_vector, stage4::store_vector, stage4::vec16;
using stage4::vector_scan, stage4::vector_sum;
using stage8::publish, stage8::published, stage8::take_ticket, stage8::launch_number,
    stage9::warp_sum;

// A warp has VECTORS rows of 32 vectors. There are at most as many blocks as SMs, so all of them
// run at the same time.
template <int THREADS, int VECTORS, class T>
__global__ void __launch_bounds__(THREADS)
    scan_wave(const T *in, T *out, long long n, bool exclusive, published *shared)
{
    const int WARPS = THREADS / 32, ROW = 32 * vec16<T>::WIDTH;   // ROW: elements
    __shared__ T warp_sums[WARPS], before_block;
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    long long first = (blockIdx.x * WARPS + warp) * VECTORS * ROW + lane * vec16<T>::WIDTH;
    vec16<T> v[VECTORS];
    T scan[VECTORS], sum = 0;   // scan: inclusive, over the lanes

    cudaTriggerProgrammaticLaunchCompletion();   // the next kernel may start
    cudaGridDependencySynchronize();             // the previous one has ended
    unsigned launch = launch_number(shared);
    for (int r = 0; r < VECTORS; r++)
        v[r] = load_vector(in, first + r * ROW, n);
    for (int r = 0; r < VECTORS; r++) {
        scan[r] = warp_scan(vector_sum(v[r]));
        sum += __shfl_sync(0xffffffff, scan[r], 31);
    }
    if (lane == 0)
        warp_sums[warp] = sum;
    __syncthreads();
    sum = lane < WARPS ? warp_sums[lane] : 0;
    T before = warp_sum(lane < warp ? sum : 0);
    if (gridDim.x > 1) {
        if (threadIdx.x == THREADS - 1)   // all threads have read the number of the launch
            take_ticket(shared, launch);
        if (warp == 0) {
            T total = warp_sum(sum);
            if (lane == 0)
                publish(shared, blockIdx.x, total, 2 * launch);
            before_block = sum_between<T>(shared, 0, blockIdx.x, launch);
        }
        __syncthreads();
        before += before_block;
    }
    for (int r = 0; r < VECTORS; r++) {
        T base = before + lanes_before(scan[r]);
        store_vector(out, first + r * ROW, n, vector_scan(v[r], base, exclusive));
        before += __shfl_sync(0xffffffff, scan[r], 31);
    }
}

// Launches the kernel if n elements are at most `most` tiles, one per SM. Returns whether it has.
template <int THREADS, int VECTORS, class T>
bool launch_wave(const T *in, T *out, long long n, bool exclusive, int most)
{
    int blocks = (int)ceil_div(n, THREADS * VECTORS * vec16<T>::WIDTH);
    published *shared = (published *)scratch(sizeof(published) + most * sizeof(T) * 2);
    cudaLaunchAttribute pdl;
    cudaLaunchConfig_t config = { dim3(blocks), dim3(THREADS), 0, cudaStreamPerThread, &pdl, 1 };

    if (blocks > min(most, multiprocessors()))
        return false;
    pdl.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    pdl.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchKernelEx(&config, scan_wave<THREADS, VECTORS, T>, in, out, n, exclusive, shared);
    return true;
}

template <class T> void scan_array(const T *in, T *out, long long n, bool exclusive)
{
    if (!launch_wave<256, 1>(in, out, n, exclusive, 1) &&
        !launch_wave<512, 2>(in, out, n, exclusive, 1) &&
        !launch_wave<512, 4>(in, out, n, exclusive, 1) &&
        !launch_wave<256, 1>(in, out, n, exclusive, 32) &&
        !launch_wave<256, 2>(in, out, n, exclusive, 32) &&
        !launch_wave<512, 2>(in, out, n, exclusive, 32) &&
        !launch_wave<512, 4>(in, out, n, exclusive, 32))
        stage12::scan_array(in, out, n, exclusive);
}

void scan(const void *in, void *out, long long n, enum type type, int exclusive)
{
    BY_TYPE(type, scan_array, in, out, n, exclusive);
}
