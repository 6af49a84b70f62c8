// stage37: coalesced stores for every shape, and tiles that the shape chooses
//
// Stage 35 stores C word by word: a request of a warp has 2 words in each of 16 sectors. Here it
// has whole sectors: by float4 if rows of C are multiples of 16 bytes. Else a warp transposes its
// sums through shared memory, and stores 32 adjacent words:
//   store_words   row 0: 2 words   row 1: 2 words ...     16 sectors
//   store_rows    row 0: 32 words                         4 or 5 sectors
// The first kernel transposes A, too (aligned.h), and the second starts when it is complete, or
// before (EARLY=1). Small tiles occupy all SMs, large ones load least per operation: the shape
// chooses (TILE=1,2,3). If over 20 % of the blocks would be idle, EVEN divides the steps evenly.
// make stage37 && ./stage37 -n 256x257x64    make diff A=35 B=37
// From: stage35
// Needs: sm_90
// Expect (cpu, 256x257x64): st_sectors <= 0.5 * stage35.st_sectors
// Expect (cpu, 64x64x2000): atomic_requests == 1.5 * stage37[EVEN=0].atomic_requests
// Expect (H200, 2049): rate >= 1.03 * ref_cublas.rate
#include <limits.h>

#include "aligned.h"

using stage20::multiply_tile, stage21::multiply_snake, stage21::store_words, stage22::tile_corner;
using stage23::first_step, stage23::fix_up, stage26::launch_overlapping;

#ifndef STORE
#define STORE 1   // 0: word by word, as in stage 35
#endif
#ifndef EVEN
#define EVEN 1   // 0: the division of stage 35
#endif
#ifndef EARLY
#define EARLY 0   // 1: blocks of the second kernel start while the first runs
#endif
#ifndef TILE
#define TILE 0   // 0: the shape decides; 1: always 32 x 64; 2: 64 x 64; 3: 64 x 128
#endif
constexpr int BK = 16;   // depth of the tiles along K

// Stores a block tile row by row. Each warp writes 16 rows of its sums at a time to shared memory,
// where its lanes read whole rows.
template <int BM, int BN, int TM, int TN>
__device__ void store_rows(float *C, position block, position thread, int M, int N,
                           float (&sum)[TM][TN], float4 *memory)
{
    const int WM = LANE_ROWS * TM, WN = LANE_COLS * TN;              // warp tile
    auto smem = (float(*)[WN + 4]) memory + threadIdx.x / 32 * 16;   // 16 rows
    int row = thread.row % WM, col = thread.col % WN, lane = threadIdx.x % 32;
    int first_row = block.row + thread.row - row, first_col = block.col + thread.col - col;

    for (int i = 0; i < TM; i += 4, first_row += 16) {   // 16 = 4 * LANE_ROWS
        for (int j = 0; j < 4 * TN; j += 4)
            *(float4 *)&smem[row + j / TN][col + LANE_COLS * (j % TN)] =
                *(float4 *)&sum[i + j / TN][j % TN];
        __syncwarp();
        for (int m = 0; m < 16; m++)
            for (int n = lane; n < WN; n += 32)
                if (first_row + m < M && first_col + n < N)
                    C[(size_t)(first_row + m) * N + first_col + n] = smem[m][n];
        __syncwarp();
    }
}

// As in stage 35, with other stores.
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
    for (int count; next < end; next += count) {
        int tile = next / s.steps, first = next % s.steps;
        count = min(s.steps - first, end - next);
        position block = tile_corner<BM, BN>(tile, N);   // in C
        alignas(16) float sum[TM][TN] = {};

        AlignedCopies<THREADS, BM, BN, BK> copies = { a, b, lda, ldb };
        copies.prepare(block, K - (s.steps - first) * BK);
        multiply_tile(sum, smem, thread, copies, count, multiply_snake<TM, TN>);
        bool whole = count == s.steps || fix_up<THREADS>(sum, partial, s, tile, first, count);
        __pipeline_wait_prior(0);
        __syncthreads();   // the copies and reads of this tile are complete
        auto store = STORE ? store_tile<true, TM, TN> : store_words<TM, TN>;
        if (whole && STORE && N % 4)
            store_rows<BM, BN>(C, block, thread, M, N, sum, memory);
        else if (whole)
            store(C, block.row + thread.row, block.col + thread.col, M, N, sum);
        __syncthreads();   // shared memory has been read
    }
}

// Computes C in tiles of BM x BN, BLOCKS per SM at once.
template <int BM, int BN, int TM, int TN, int BLOCKS, int THREADS = (BM / TM) * (BN / TN)>
void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    int tiles = ceil_div(M, BM) * ceil_div(N, BN), a_tiles = ceil_div(M, 32) * ceil_div(K, 32);
    int lda = ceil_div(M, 4) * 4, ldb = ceil_div(N, 4) * 4, resident = BLOCKS * multiprocessors();
    size_t a_words = (size_t)K * lda, b_words = N % 4 ? (size_t)K * ldb : 0;   // of the copies
    long long blocks = a_tiles + (N % 4 ? (long long)K * ceil_div(ldb, 1024) : 0);
    if (blocks > INT_MAX)
        return refuse("copies by fewer than 2^31 blocks only");
    schedule s = divide(tiles, ceil_div(K, BK), K, resident);
    if (EVEN && s.tail && 5 * s.workers < 4 * resident)
        s.workers = max((long long)s.tail, min((long long)resident, (long long)s.tail * K / 128));
    float *a = (float *)scratch(4 * (a_words + b_words + (size_t)2 * s.workers * BM * BN));
    float *b = a + a_words, *partial = b + b_words;

    launch_overlapping(copy_aligned<EARLY>, (int)blocks, 256, 0, A, B, a, b, M, N, K, lda, ldb,
                       a_tiles);
    launch_overlapping(multiply<BM, BN, TM, TN, BLOCKS>, s.full + s.workers, THREADS,
                       DEPTH * sizeof(Tiles<BM, BN, BK>), (const float *)a, N % 4 ? b : B, C, M, N,
                       K, lda, ldb, s, partial);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int tiles = ceil_div(M, 64) * ceil_div(N, 64), sms = multiprocessors();   // of 64 x 64
    int tile = TILE ? TILE : 1 + (2 * tiles >= sms) + (tiles >= 4 * sms);
    auto *run = tile == 3 ? launch<64, 128, 8, 8, 3> : launch<64, 64, 8, 8, 6>;

    (tile == 1 ? launch<32, 64, 4, 8, 10> : run)(A, B, C, M, N, K);
}
