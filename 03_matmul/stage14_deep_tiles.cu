// stage14: deeper tiles: half as many barriers
//
// After each step all warps wait at a barrier, and a thread takes a step's other instructions: it
// waits for copies, switches buffers, starts copies. Here a step is 16 deep, not 8, so there are
// half as many steps. Copies and multiply-adds stay the same. A buffer is twice as large:
//   3 x 16 x (128 + 4 + 256) x 4 bytes = 74496: more than 48 KB, so the kernel has dynamic shared
//   memory, whose size is an argument of the launch
// Look at: barriers; the rate.
// make stage14 && ./stage14        make diff A=13 B=14
// Expect (cpu, 256x256x64): barriers <= 0.6 * stage13.barriers
// Expect (cpu, 256x256x64): ld_sectors == stage13.ld_sectors
// Expect (sm_90, 4096): rate >= 0.98 * stage13.rate
#include "pipeline.h"

using stage10::DEPTH, stage10::position, stage10::Tiles, stage12::multiply_tile;
using stage13::multiply_fragments, stage13::store_tile, stage13::thread_position;

// block tile: rows and columns of C per block, and depth along K; thread tile: rows and columns
constexpr int BM = 128, BN = 256, BK = 16, TM = 16, TN = 8;
constexpr int THREADS = BM / TM * (BN / TN);

// Dynamic shared memory above 48 KB is an opt-in. Refuses the call if the device has less.
template <class Kernel> bool allow_shared(Kernel *kernel, int bytes)
{
    bool allowed = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        bytes) == cudaSuccess;

    if (!allowed)
        refuse("not enough shared memory");
    return allowed;
}

template <int VEC>   // words per copy of B: 4 if its rows are 16-byte aligned
__global__ __launch_bounds__(THREADS, 1) void multiply(const float *A, const float *B, float *C,
                                                       int M, int N, int K)
{
    extern __shared__ Tiles<BM, BN, BK> smem[];   // DEPTH of them
    position thread = thread_position<BN, TM, TN>();
    position block = { (int)blockIdx.y * BM, (int)blockIdx.x * BN };   // in C
    int steps = ceil_div(K, BK);   // the first one starts at k <= 0
    alignas(16) float sum[TM][TN] = {};

    multiply_tile<VEC>(sum, smem, thread, A, B, M, N, K, block, K - steps * BK, steps,
                       multiply_fragments<TM, TN>);
    store_tile(C, block.row + thread.row, block.col + thread.col, M, N, sum);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    auto kernel = N % 4 ? multiply<1> : multiply<4>;
    int bytes = DEPTH * sizeof(Tiles<BM, BN, BK>);

    if (allow_shared(kernel, bytes))
        kernel<<<dim3(ceil_div(N, BN), ceil_div(M, BM)), THREADS, bytes>>>(A, B, C, M, N, K);
}
