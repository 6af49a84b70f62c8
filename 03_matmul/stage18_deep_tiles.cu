// stage18: deeper tiles: half as many barriers
//
// After each step all warps wait at a barrier, and each thread executes the other instructions of
// a step: it waits for copies, switches buffers, starts copies. Here a step is 16 deep, not 8, so
// there are half as many steps. Copies and multiply-adds stay the same. A buffer is twice as large:
//   3 x 16 x (128 + 4 + 256) x 4 bytes = 74496: more than 48 KB, so the kernel has dynamic shared
//   memory, whose size is an argument of the launch
// Look at: barriers; the rate.
// make stage18 && ./stage18        make diff A=17 B=18
// Expect (cpu, 256x256x64): barriers <= 0.6 * stage17.barriers
// Expect (sm_90, 4096): rate >= 1.03 * ref_cublas.rate
// Expect (sm_90, 8192): rate >= 1.04 * ref_cublas.rate
// Expect (sm_90, 4099x4093x4097): rate >= 1.01 * stage17.rate
#include "tiles.h"

using stage10::DEPTH, stage10::position, stage10::Tiles, stage11::Copies, stage12::multiply_tile;
using stage13::multiply_snake, stage13::store_words, stage13::thread_position;
using stage15::large_tiles, stage15::tile_corner;
using stage17::divide, stage17::first_step, stage17::fix_up, stage17::schedule;

constexpr int BK = 16;   // depth of the tiles along K

// Dynamic shared memory above 48 KB is an opt-in. Refuses the call if the device has less. Kernel:
// the type of any kernel.
template <class Kernel> bool allow_shared(Kernel *kernel, int bytes)
{
    bool allowed = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        bytes) == cudaSuccess;

    if (!allowed)
        refuse("not enough shared memory");
    return allowed;
}

// Block tile BM x BN, thread tile TM x TN, BLOCKS per SM. VEC: words per copy of B.
template <int BM, int BN, int TM, int TN, int BLOCKS, int VEC, int THREADS = (BM / TM) * (BN / TN)>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    multiply(const float *A, const float *B, float *C, int M, int N, int K, schedule s,
             float *partial)
{
    // float4: aligned to 16 bytes. All kernels must declare one type, but their Tiles differ.
    extern __shared__ float4 memory[];
    Tiles<BM, BN, BK> *smem = (Tiles<BM, BN, BK> *)memory;   // DEPTH of them
    position thread = thread_position<BN, TM, TN>();
    int next = first_step(s, blockIdx.x), end = first_step(s, blockIdx.x + 1);   // its share

    while (next < end) {
        // steps first to first + count - 1 of a tile: to the end of the tile or of the share
        int tile = next / s.steps, first = next % s.steps;
        int count = min(s.steps - first, end - next);
        position block = tile_corner<BM, BN>(tile, N);   // in C
        alignas(16) float sum[TM][TN] = {};

        Copies<VEC, THREADS, BM, BN, BK> copies = { A, B, N };
        copies.prepare(M, K, block, K - (s.steps - first) * BK);
        multiply_tile(sum, smem, thread, copies, count, multiply_snake<TM, TN>);
        if (count == s.steps || fix_up<THREADS>(sum, partial, s, tile, first, count))
            store_words(C, block.row + thread.row, block.col + thread.col, M, N, sum);
        next += count;
        __pipeline_wait_prior(0);
        __syncthreads();   // the copies and reads of this tile are complete
    }
}

// Computes C in tiles of BM x BN, BLOCKS per SM at once.
template <int BM, int BN, int TM, int TN, int BLOCKS, int THREADS = (BM / TM) * (BN / TN)>
void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    auto kernel = N % 4 ? multiply<BM, BN, TM, TN, BLOCKS, 1> : multiply<BM, BN, TM, TN, BLOCKS, 4>;
    int tiles = ceil_div(M, BM) * ceil_div(N, BN), bytes = DEPTH * sizeof(Tiles<BM, BN, BK>);
    schedule s = divide(tiles, ceil_div(K, BK), K, BLOCKS * multiprocessors());
    float *partial = (float *)scratch((size_t)2 * s.workers * BM * BN * sizeof *partial);

    if (allow_shared(kernel, bytes))
        kernel<<<s.full + s.workers, THREADS, bytes>>>(A, B, C, M, N, K, s, partial);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    if (large_tiles(M, N))
        launch<128, 256, 16, 8, 1>(A, B, C, M, N, K);
    else
        launch<64, 128, 8, 8, 3>(A, B, C, M, N, K);
}
