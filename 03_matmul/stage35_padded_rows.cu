// stage35: padding and transposition, once, so that each later copy has 16 bytes
//
// Stage 23 copies A word by word, because its tiles are stored transposed. If N is not a multiple
// of 4, B too: most of its rows do not start at multiples of 16 bytes. And every row of tiles
// copies all of B again, every column of tiles all of A. Here a first kernel transposes A, and
// copies B if needed, once, to rows that are padded with zeros to a multiple of 4 words:
//   B, N = 5      |a a a a|a b b b|b b c c|c c c ...      copies of 1 word
//   pitch 8       |a a a a|a 0 0 0|b b b b|b 0 0 0 ...    copies of 4 words
// Then both are K rows, and a copy has 4 words of either (AlignedCopies, aligned.h). The first
// kernel moves 8 K (M + N) bytes, and the product has 2 M N K operations: its share of the time
// falls with the size. The product starts before the copies end (stage 26), and waits for them.
// Look at: load requests.    make stage35 && ./stage35 -n 256x257x64    make diff A=23 B=35
// From: stage23
// Needs: sm_90
// Expect (cpu, 256x257x64): ld_requests <= 0.65 * stage23.ld_requests
#include "aligned.h"

using stage20::multiply_tile, stage21::multiply_snake, stage21::store_words, stage22::large_tiles;
using stage22::tile_corner, stage23::first_step, stage23::fix_up, stage26::launch_overlapping;

constexpr int BK = 16;   // depth of the tiles along K

// Transposes A (M x K) to K rows of `lda` words, and copies B (K x N) to K rows of `ldb` words,
// with zeros at their ends. The first a_tiles blocks transpose 32 x 32 words of A each, through
// shared memory as in week 1. Each of the others copies a row of B.
__global__ void copy_aligned(const float *A, const float *B, float *a, float *b, int M, int N,
                             int K, int lda, int ldb, int a_tiles)
{
    __shared__ float smem[32][32 + 1];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, tile_cols = ceil_div(K, 32);
    int m = blockIdx.x / tile_cols * 32, k = blockIdx.x % tile_cols * 32;   // of A
    size_t row = blockIdx.x - a_tiles;                                      // of B

    cudaTriggerProgrammaticLaunchCompletion();   // the next kernel may start where an SM has room
    cudaGridDependencySynchronize();   // the kernel before is complete: its scratch may be written
    if (blockIdx.x >= a_tiles) {
        for (int col = threadIdx.x; col < ldb; col += 256)
            b[row * ldb + col] = col < N ? B[row * N + col] : 0;
        return;
    }
    for (int i = warp; i < 32; i += 8)
        smem[i][lane] = m + i < M && k + lane < K ? A[(size_t)(m + i) * K + k + lane] : 0;
    __syncthreads();
    for (int i = warp; i < 32; i += 8)
        if (k + i < K && m + lane < lda)
            a[(size_t)(k + i) * lda + m + lane] = smem[lane][i];
}

// As in stage 23; a is A transposed.
template <int BM, int BN, int TM, int TN, int BLOCKS, int THREADS = (BM / TM) * (BN / TN)>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    multiply(const float *a, const float *b, float *C, int M, int N, int K, int lda, int ldb,
             schedule s, float *partial)
{
    extern __shared__ float4 memory[];
    Tiles<BM, BN, BK> *smem = (Tiles<BM, BN, BK> *)memory;   // DEPTH of them
    position thread = thread_position<BN, TM, TN>();
    int next = first_step(s, blockIdx.x), end = first_step(s, blockIdx.x + 1);   // its share

    cudaTriggerProgrammaticLaunchCompletion();   // the next call may start where an SM has room
    cudaGridDependencySynchronize();             // the copies are complete
    while (next < end) {
        int tile = next / s.steps, first = next % s.steps;
        int count = min(s.steps - first, end - next);
        position block = tile_corner<BM, BN>(tile, N);   // in C
        alignas(16) float sum[TM][TN] = {};

        AlignedCopies<THREADS, BM, BN, BK> copies = { a, b, lda, ldb };
        copies.prepare(block, K - (s.steps - first) * BK);
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
    int tiles = ceil_div(M, BM) * ceil_div(N, BN);
    int lda = ceil_div(M, 4) * 4, ldb = ceil_div(N, 4) * 4;
    int a_tiles = ceil_div(M, 32) * ceil_div(K, 32);
    size_t a_words = (size_t)K * lda, b_words = N % 4 ? (size_t)K * ldb : 0;   // of the copies
    schedule s = divide(tiles, ceil_div(K, BK), K, BLOCKS * multiprocessors());
    float *a = (float *)scratch(4 * (a_words + b_words + (size_t)2 * s.workers * BM * BN));
    float *b = a + a_words, *partial = b + b_words;

    launch_overlapping(copy_aligned, a_tiles + (N % 4 ? K : 0), 256, 0, A, B, a, b, M, N, K, lda,
                       ldb, a_tiles);
    launch_overlapping(multiply<BM, BN, TM, TN, BLOCKS>, s.full + s.workers, THREADS,
                       DEPTH * sizeof(Tiles<BM, BN, BK>), (const float *)a, N % 4 ? b : B, C, M, N,
                       K, lda, ldb, s, partial);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    (large_tiles(M, N) ? launch<128, 256, 16, 8, 1> : launch<64, 128, 8, 8, 3>)(A, B, C, M, N, K);
}
