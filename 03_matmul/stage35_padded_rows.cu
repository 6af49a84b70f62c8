// stage35: padding: one copy of B, so that each later copy has 16 bytes
//
// If N is not a multiple of 4, most rows of B do not start at multiples of 16 bytes. So stage 23
// copies B word by word: with tiles of 64 x 128, a thread makes 16 requests per step for B, and
// not 4. And every row of tiles copies all of B again. Here a first kernel copies B once, to rows
// that are padded with zeros to a multiple of 4 words:
//   B, N = 5      |a a a a|a b b b|b b c c|c c c ...      copies of 1 word
//   pitch 8       |a a a a|a 0 0 0|b b b b|b 0 0 0 ...    copies of 4 words
// It moves 8 K N bytes, and the product has 2 M N K operations: its share of the time falls with M.
// The product starts before the copy ends (stage 26), and waits for it before it loads. At 2049 it
// takes 462 us, and stage 23 612 us. At 1025 it is still slower than cuBLAS: 90 us, and 71 us.
// Look at: load requests.    make stage35 && ./stage35 -n 256x257x64    make diff A=23 B=35
// From: stage23
// Needs: sm_90
// Expect (cpu, 256x257x64): ld_requests <= 0.7 * stage23.ld_requests
// Expect (H200, 2049): rate >= 1.25 * stage23.rate
#include "programmatic_launch.h"
#include "tiles.h"

using stage19::Copies, stage20::multiply_tile, stage21::multiply_snake, stage21::store_words;
using stage22::large_tiles, stage22::tile_corner, stage23::first_step, stage23::fix_up;
using stage26::launch_overlapping;

constexpr int BK = 16;   // depth of the tiles along K

// Copies a matrix with rows of `cols` words to one whose rows are `pitch` words apart, with zeros
// at their ends. Block i copies row i.
__global__ void copy_rows(const float *from, float *to, int cols, int pitch)
{
    cudaTriggerProgrammaticLaunchCompletion();   // the next kernel may start where an SM has room
    cudaGridDependencySynchronize();   // the kernel before is complete: its scratch may be written
    from += (size_t)blockIdx.x * cols;
    to += (size_t)blockIdx.x * pitch;
    for (int col = threadIdx.x; col < pitch; col += blockDim.x)
        to[col] = col < cols ? from[col] : 0;
}

// As in stage 23. Rows of B are `pitch` words apart, a multiple of 4.
template <int BM, int BN, int TM, int TN, int BLOCKS, int THREADS = (BM / TM) * (BN / TN)>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    multiply(const float *A, const float *B, float *C, int M, int N, int K, int pitch, schedule s,
             float *partial)
{
    extern __shared__ float4 memory[];
    Tiles<BM, BN, BK> *smem = (Tiles<BM, BN, BK> *)memory;   // DEPTH of them
    position thread = thread_position<BN, TM, TN>();
    int next = first_step(s, blockIdx.x), end = first_step(s, blockIdx.x + 1);   // its share

    cudaTriggerProgrammaticLaunchCompletion();   // the next call may start where an SM has room
    cudaGridDependencySynchronize();             // the copy of B, or the call before, is complete
    while (next < end) {
        int tile = next / s.steps, first = next % s.steps;
        int count = min(s.steps - first, end - next);
        position block = tile_corner<BM, BN>(tile, N);   // in C
        alignas(16) float sum[TM][TN] = {};

        Copies<4, THREADS, BM, BN, BK> copies = { A, B, pitch };
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
    int tiles = ceil_div(M, BM) * ceil_div(N, BN), pitch = ceil_div(N, 4) * 4;
    schedule s = divide(tiles, ceil_div(K, BK), K, BLOCKS * multiprocessors());
    size_t words = N % 4 ? (size_t)K * pitch : 0;   // of the copy; the parts of tiles follow it
    float *b = (float *)scratch(4 * (words + (size_t)2 * s.workers * BM * BN));

    if (N % 4)
        launch_overlapping(copy_rows, K, 256, 0, B, b, N, pitch);
    launch_overlapping(multiply<BM, BN, TM, TN, BLOCKS>, s.full + s.workers, THREADS,
                       DEPTH * sizeof(Tiles<BM, BN, BK>), A, N % 4 ? b : B, C, M, N, K, pitch, s,
                       b + words);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    (large_tiles(M, N) ? launch<128, 256, 16, 8, 1> : launch<64, 128, 8, 8, 3>)(A, B, C, M, N, K);
}
