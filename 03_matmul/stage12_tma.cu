// stage12: bulk copies by the tensor memory accelerator (TMA), with mbarriers
//
// Every thread of stage 11 computes six addresses and starts six copies per step. Here one thread
// starts two bulk copies, a box of A and a box of B; the tensor memory accelerator does the rest.
//
//   thread 0      expect bytes at full[s]; copy boxes to smem[s]      s = step % DEPTH
//   TMA           write the boxes, 0 outside the matrix; count the bytes: full[s] ends a phase
//   all threads   wait for the phase; multiply; barrier; thread 0 refills smem[s]
//
// TMA copies rows as they are, so a kernel transposes A first, which counts into the time. Rows are
// 16-byte aligned: N % 4 == 0. A producer warp would leave only 168 registers per thread (stage
// 14). Look at: issue slots, registers (make regs), make stage12 BK=8        make diff A=11 B=12
// Needs: sm_90
// Expect (sm_90, 4096): rate >= 1.04 * stage11.rate
// Expect (sm_90, 4096): rate >= 1.02 * ref_cublas.rate
#include "matmul.h"

#define BM 128   // block tile: rows and columns of C per block
#define BN 256
#ifndef BK
#define BK 16   // depth of the tiles along K
#endif
#define TM 16   // thread tile: rows and columns of C per thread
#define TN 8
#define DEPTH 3       // stages of the pipeline: buffers in shared memory
#define LANE_ROWS 4   // the lanes of a warp form 4 rows of 8
#define LANE_COLS 8
#define WM (LANE_ROWS * TM)   // warp tile
#define WN (LANE_COLS * TN)
#define THREADS (BM / WM * (BN / WN) * 32)
static_assert(BK % 2 == 0 && DEPTH * (BM + BN) * BK * 4 <= 232448,
              "BK must be even, and the tiles must fit into 227 KB");

struct Tiles {
    alignas(128) float a[BK][BM];   // boxes are 128-byte aligned
    alignas(128) float b[BK][BN];
};

__global__ __launch_bounds__(THREADS, 1) void multiply(const __grid_constant__ CUtensorMap A,
                                                       const __grid_constant__ CUtensorMap B,
                                                       float *C, int M, int N, int K)
{
    extern __shared__ Tiles smem[];
    __shared__ uint64_t full[DEPTH];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    // lanes n, n ^ 1 and n ^ 2 differ in row and column
    int lane_col = lane / LANE_ROWS ^ lane % LANE_ROWS, lane_row = lane % LANE_ROWS;
    // in the block tile: the corner of the warp tile, then the lane's first group of 4 x 4 in it
    int thread_col = warp % (BN / WN) * WN + lane_col * 4;
    int thread_row = warp / (BN / WN) * WM + lane_row * 4;
    int block_row = blockIdx.y * BM, block_col = blockIdx.x * BN;   // in C
    alignas(16) float sum[TM][TN] = {}, frag_a[2][TM], frag_b[2][TN];

    auto copy_tiles = [&](int stage, int k0) {   // one thread calls this
        mbarrier_arrive_expect(&full[stage], sizeof(Tiles));
        tma_load_2d(smem[stage].a, &A, block_row, k0, &full[stage]);
        tma_load_2d(smem[stage].b, &B, block_col, k0, &full[stage]);
    };
    // this thread's words of column k of A and row k of B, in groups of 4, as in stage 8
    auto load_fragments = [&](int set, Tiles *from, int k) {
        for (int i = 0; i < TM; i += 4)
            *(float4 *)&frag_a[set][i] = *(float4 *)&from->a[k][thread_row + LANE_ROWS * i];
        for (int j = 0; j < TN; j += 4)
            *(float4 *)&frag_b[set][j] = *(float4 *)&from->b[k][thread_col + LANE_COLS * j];
    };

    if (threadIdx.x == 0) {   // prologue: fill the pipeline
        for (int stage = 0; stage < DEPTH; stage++)
            mbarrier_init(&full[stage], 1);
        fence_proxy_async();
        for (int stage = 0; stage < DEPTH && stage * BK < K; stage++)
            copy_tiles(stage, stage * BK);
    }
    __syncthreads();   // the mbarriers must be initialized before any thread waits on them
    mbarrier_wait(&full[0], 0);
    load_fragments(0, smem, 0);
    int stage = 0, phase = 0;   // the phase of an mbarrier flips with each use of its buffer
    for (int k0 = 0; k0 < K; k0 += BK) {
        int used = stage;
        if (++stage == DEPTH)
            stage = 0, phase ^= 1;
        Tiles *tiles = &smem[used], *next = &smem[stage];
#pragma unroll   // registers cannot be indexed dynamically: k % 2 must be a constant
        for (int k = 0; k < BK; k++) {
            if (k < BK - 1)
                load_fragments((k + 1) % 2, tiles, k + 1);
            else {
                if (k0 + BK < K)
                    mbarrier_wait(&full[stage], phase);
                __syncthreads();   // every thread has read these tiles
                load_fragments(0, next, 0);
                if (threadIdx.x == 0 && k0 + DEPTH * BK < K)
                    copy_tiles(used, k0 + DEPTH * BK);
            }
            for (int i = 0; i < TM; i++)
                for (int step = 0; step < TN; step++) {
                    int j = i % 2 ? TN - 1 - step : step;   // snake order
                    sum[i][j] += frag_a[k % 2][i] * frag_b[k % 2][j];
                }
        }
    }
    store_tile<LANE_ROWS, LANE_COLS>(C, block_row + thread_row, block_col + thread_col, M, N, sum);
}

// to[x][y] = from[y][x], with rows of `pitch` words: the tiled transpose of week 1, stage 3.
__global__ void transpose(const float *from, float *to, int rows, int cols, int pitch)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;

    for (int i = 0; i < 32; i += 8)
        if (x < cols && y + i < rows)
            tile[threadIdx.y + i][threadIdx.x] = from[(y + i) * cols + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8)
        if (x < rows && y + i < cols)
            to[(size_t)(y + i) * pitch + x] = tile[threadIdx.x][threadIdx.y + i];
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    if (N % 4)
        return refuse("N in multiples of 4 only");
    int pitch = ceil_div(M, 4) * 4;
    float *AT = (float *)scratch((size_t)K * pitch * sizeof *AT);
    dim3 grid(ceil_div(N, BN), ceil_div(M, BM));

    transpose<<<dim3(ceil_div(K, 32), ceil_div(M, 32)), dim3(32, 8)>>>(A, AT, M, K, pitch);
    CUtensorMap map_a = *tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, AT, K, pitch, BK, BM,
                                       CU_TENSOR_MAP_SWIZZLE_NONE);
    CUtensorMap map_b = *tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, B, K, N, BK, BN,
                                       CU_TENSOR_MAP_SWIZZLE_NONE);
    // dynamic shared memory above 48 KB is an opt-in
    cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         DEPTH * sizeof(Tiles));
    multiply<<<grid, THREADS, DEPTH * sizeof(Tiles)>>>(map_a, map_b, C, M, N, K);
}
