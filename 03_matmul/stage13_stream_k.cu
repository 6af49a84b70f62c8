// stage13: any size. The tile suits the size, and what does not fill the GPU is shared by all its
// SMs.
//
// Two losses are left. Blocks of one tile each come in waves: on an H200's 132 SMs, 512 tiles take
// four waves of which the last is not full, and 32 tiles leave 100 SMs idle. And a tile of 128 x
// 256 is too large for small matrices. Changes: the tiles that fill whole waves have a block each,
// as before. The steps along K of those that are left are dealt out evenly to as many blocks as run
// at once, wherever that cuts a tile; if few are left, to a whole number of blocks each, eight at
// most. Who has a part of a tile leaves its sums in memory; the block that comes last adds them up,
// always in the same order, and stores the tile. Where tiles of 128 x 256 would be few, they are 64
// x 128, three on an SM, and 64 x 64 for a narrow C. Tiles are gone through in groups of rows, so
// that blocks that run together share rows of A and columns of B in the L2 cache. Copies as in
// stage 11: rows may begin anywhere, and A need not be transposed.
//
// make stage13 && ./stage13; make diff A=11 B=13; ./stage13 -n 1000; ./stage13 -n 4099x4093x4097;
// ./stage13 --shmoo
//
// Long: it has to deal out tiles and parts of tiles, and add the parts up.
// Expect (cpu, 256x256x64): ld_sectors == stage11.ld_sectors
// Expect (cpu, 256x256x64): shared_requests == stage11.shared_requests
// Expect (cpu, 64x64x2000): atomic_requests == 6
// Expect (sm_90, 1024): rate >= 3.1 * stage11.rate
// Expect (sm_90, 4096): rate >= 1.04 * stage11.rate
// Expect (sm_90, 1024): rate >= 1.08 * ref_cublas.rate
// Expect (sm_90, 2048): rate >= 1.00 * ref_cublas.rate
// Expect (sm_90, 4096): rate >= 1.03 * ref_cublas.rate
// Expect (sm_90, 8192): rate >= 1.04 * ref_cublas.rate
// Expect (sm_90, 16384): rate >= 1.01 * ref_cublas.rate
// Expect (sm_90, 4099x4093x4097): rate >= 1.01 * ref_cublas.rate
#include "matmul.h"

#ifndef BK
#define BK 16   // so much of K is a step
#endif
#ifndef RING
#define RING 3   // steps in shared memory
#endif
#ifndef GROUP
// rows of tiles that are gone through together, so that what they need stays in the L2 cache
#define GROUP 8
#endif
#define DOWN 4   // lanes of a warp
#define ACROSS 8
#define LARGEST (128 * 256)   // elements of C that an SM's blocks make at once, at most
#define PARTS 8               // of a tile, at most
#define LEAST 8               // steps in a part, at least
static_assert(BK == 8 || BK == 16 || BK == 32, "BK must be 8, 16 or 32");
static_assert(RING >= 2 && RING <= 8, "RING must be 2 to 8");

// The first `whole` blocks make a tile each. The others, `sharers` of them, have as many steps each
// of the other tiles. `partial` has room for two tiles a sharer: the end of one and the beginning
// of another. `done` counts, for each of those tiles, the steps whose sums are there; it is 0
// before and after.
// ROWS x COLS: the tile; a thread makes TM x TN of it. AT_ONCE: blocks on an SM. WIDE: as many
// floats as can be copied of a row of B at once.
template <int ROWS, int COLS, int TM, int TN, int AT_ONCE, int WIDE>
__global__ __launch_bounds__(ROWS / TM * (COLS / TN),
                             AT_ONCE) void multiply(const float *A, const float *B, float *C, int M,
                                                    int N, int K, int whole, int sharers,
                                                    float *partial, int *done)
{
    struct tile {
        float a[BK][ROWS + 4];
        float b[BK][COLS];
    };
    extern __shared__ float4 memory[];
    tile *ring = (tile *)memory;
    const int THREADS = ROWS / TM * (COLS / TN), MA = THREADS / BK, KB = THREADS * WIDE / COLS,
              WM = DOWN * TM, WN = ACROSS * TN;
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int lx = lane / DOWN ^ lane % DOWN, ly = lane % DOWN;
    int tx = warp % (COLS / WN) * WN + lx * 4, ty = warp / (COLS / WN) * WM + ly * 4;
    int ka = threadIdx.x % BK, ma = threadIdx.x / BK, kb = threadIdx.x / (COLS / WIDE),
        nb = threadIdx.x % (COLS / WIDE) * WIDE;
    int steps = ceil_div(K, BK), down = ceil_div(M, ROWS), across = ceil_div(N, COLS);
    int which = blockIdx.x, begin = 0, count = steps, sharer = blockIdx.x - whole;
    long long total = (long long)(down * across - whole) * steps;
    long long at = sharer < 0 ? 0 : total * sharer / sharers,
              end = sharer < 0 ? 0 : total * (sharer + 1) / sharers;

    do {
        if (sharer >= 0) {
            which = whole + at / steps;
            begin = at % steps;
            count = min((long long)steps - begin, end - at);
            at += count;
        }
        int group = which / (GROUP * across) * GROUP, rows = min(GROUP, down - group),
            in = which % (GROUP * across);
        int row = (group + in % rows) * ROWS, col = in / rows * COLS;

        alignas(16) float sum[TM][TN] = {}, fa[2][TM], fb[2][TN];
        // the tile's first step begins before the matrix, so that all others are whole
        int k0 = K - steps * BK, row_a[ROWS / MA];
        const float *from_a = A + k0 + begin * BK + ka,
                    *from_b = B + ((ptrdiff_t)k0 + begin * BK) * N + min(col + nb, N - WIDE);
        for (int i = 0; i < ROWS / MA; i++)
            row_a[i] = min(row + ma + i * MA, M - 1) * K;
        auto copy = [&](tile *to, int zeros) {
            for (int i = 0; i < ROWS / MA; i++)
                __pipeline_memcpy_async(&to->a[ka][ma + i * MA], ka < zeros ? A : &from_a[row_a[i]],
                                        4, ka < zeros ? 4 : 0);
            for (int i = 0; i < BK; i += KB)
                __pipeline_memcpy_async(&to->b[kb + i][nb],
                                        kb + i < zeros ? B : &from_b[(kb + i) * N], 4 * WIDE,
                                        kb + i < zeros ? 4 * WIDE : 0);
            from_a += BK;
            from_b += (ptrdiff_t)BK * N;
        };
        auto read = [&](int set, tile *from, int k) {
            for (int i = 0; i < TM; i += 4)
                *(float4 *)&fa[set][i] = *(float4 *)&from->a[k][ty + DOWN * i];
            for (int j = 0; j < TN; j += 4)
                *(float4 *)&fb[set][j] = *(float4 *)&from->b[k][tx + ACROSS * j];
        };

        __pipeline_wait_prior(0);
        __syncthreads();   // of the tile before, all is copied and read
        for (int place = 0; place < RING; place++) {
            copy(&ring[place], place >= count ? BK : begin + place == 0 ? -k0 : 0);
            __pipeline_commit();
        }
        __pipeline_wait_prior(RING - 1);
        __syncthreads();
        read(0, ring, 0);
        for (int step = 0, place = 0; step < count; step++) {
            tile *now = &ring[place], *next = &ring[place = place < RING - 1 ? place + 1 : 0];
#pragma unroll
            for (int k = 0; k < BK; k++) {
                if (k < BK - 1)
                    read((k + 1) % 2, now, k + 1);
                else {
                    __pipeline_wait_prior(RING - 2);
                    __syncthreads();
                    read(0, next, 0);
                    if (step + RING < count)
                        copy(now, 0);
                    __pipeline_commit();
                }
                for (int i = 0; i < TM; i++)
                    for (int jj = 0; jj < TN; jj++) {
                        int j = i % 2 ? TN - 1 - jj : jj;
                        sum[i][j] += fa[k % 2][i] * fb[k % 2][j];
                    }
            }
        }

        // others have parts of this tile, too: who comes last adds them up, in their order
        if (count < steps) {
            const int TILE = ROWS * COLS;
            float *mine = partial + (size_t)(2 * sharer + (begin == 0)) * TILE + threadIdx.x;
            for (int i = 0; i < TM * TN; i++)
                mine[i * THREADS] = sum[i / TN][i % TN];
            __threadfence();
            __syncthreads();
            bool last = threadIdx.x == 0 && atomicAdd(&done[which - whole], count) == steps - count;
            if (!__syncthreads_or(last))
                continue;
            __threadfence();
            if (threadIdx.x == 0)
                done[which - whole] = 0;
            for (int i = 0; i < TM * TN; i++)
                sum[i / TN][i % TN] = 0;
            long long first = (long long)(which - whole) * steps;
            for (long long part = first; part < first + steps;) {
                int block = ((part + 1) * sharers - 1) / total;   // whose share has this step
                const float *theirs =
                    partial + (size_t)(2 * block + (part == first)) * TILE + threadIdx.x;
                for (int i = 0; i < TM * TN; i++)
                    sum[i / TN][i % TN] += theirs[i * THREADS];
                part = total * (block + 1) / sharers;
            }
        }
        for (int i = 0; i < TM; i++)
            for (int j = 0; j < TN; j++) {
                int m = row + ty + DOWN * (i / 4 * 4) + i % 4,
                    n = col + tx + ACROSS * (j / 4 * 4) + j % 4;
                if (m < M && n < N)
                    C[(size_t)m * N + n] = sum[i][j];
            }
    } while (at < end);
}

// C in tiles of ROWS x COLS, of which an SM makes so many at once.
template <int ROWS, int COLS, int TM, int TN, int AT_ONCE>
void product(const float *A, const float *B, float *C, int M, int N, int K)
{
    auto kernel =
        N % 4 ? multiply<ROWS, COLS, TM, TN, AT_ONCE, 1> : multiply<ROWS, COLS, TM, TN, AT_ONCE, 4>;
    const int threads = ROWS / TM * (COLS / TN),
              bytes = RING * BK * (ROWS + 4 + COLS) * sizeof(float);
    int at_once = AT_ONCE * multiprocessors(), tiles = ceil_div(M, ROWS) * ceil_div(N, COLS),
        steps = ceil_div(K, BK);
    int rest = tiles % at_once, parts = rest ? min(min(PARTS, at_once / rest), steps / LEAST) : 0;
    // else a last wave of whole tiles is as good
    bool deal = 20 * rest < 19 * at_once && (long long)rest * steps >= (long long)LEAST * at_once;
    int sharers = parts >= 2 ? rest * parts
                : deal       ? at_once
                             : 0,
        whole = sharers ? tiles - rest : tiles;
    // for any shape of tiles: the zeros stay where they are
    size_t room = (size_t)2 * multiprocessors() * LARGEST;
    float *partial = (float *)scratch(room * sizeof *partial + 4 * multiprocessors() * sizeof(int));

    if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) !=
        cudaSuccess)
        return refuse("not enough shared memory");
    kernel<<<whole + sharers, threads, bytes>>>(A, B, C, M, N, K, whole, max(sharers, 1), partial,
                                                (int *)(partial + room));
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    if (min(M, N) > 64 && 2LL * ceil_div(M, 128) * ceil_div(N, 256) >= multiprocessors())
        product<128, 256, 16, 8, 1>(A, B, C, M, N, K);
    else if (N > 64)
        product<64, 128, 8, 8, 3>(A, B, C, M, N, K);
    else
        product<64, 64, 8, 4, 3>(A, B, C, M, N, K);
}
