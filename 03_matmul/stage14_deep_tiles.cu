// stage14: BK 16
#include "pipeline.h"

using stage10::DEPTH, stage10::position, stage10::store_tile, stage10::Tiles,
    stage12::multiply_tile;
using stage13::thread_position;

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
    int steps = ceil_div(K, BK);
    alignas(16) float sum[TM][TN] = {};

    multiply_tile<VEC>(sum, smem, thread, A, B, M, N, K, block, K - steps * BK, steps);
    store_tile<VEC == 4>(C, block.row + thread.row, block.col + thread.col, M, N, sum);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    auto kernel = N % 4 ? multiply<1> : multiply<4>;
    int bytes = DEPTH * sizeof(Tiles<BM, BN, BK>);

    if (allow_shared(kernel, bytes))
        kernel<<<dim3(ceil_div(N, BN), ceil_div(M, BM)), THREADS, bytes>>>(A, B, C, M, N, K);
}
