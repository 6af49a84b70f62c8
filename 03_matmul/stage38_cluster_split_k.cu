// stage38: split-K within a cluster: the parts of a tile meet in distributed shared memory
//
// For a small C, stage 37 divides each tile among 2 to 8 blocks. Each writes its part to global
// memory, and the last one reads all of them, alone: its SM loads part after part. Here the blocks
// of a tile are a cluster. Each writes its part to its own shared memory. After a barrier of the
// cluster, each block adds every P-th row of all parts, and stores it. No fence, no count, and
// every block of a tile works to the end:
//   block 0   rows 0, P, 2 P ...      of part 0 + part 1 + ... + part P - 1
//   block 1   rows 1, P + 1 ...       likewise
// For all other shapes it is stage 37.
// Look at: atomics; global stores.    make stage38 && ./stage38 -n 64x256x2000    make diff A=37
// B=38 From: stage37
// Needs: sm_90
// Expect (cpu, 64x256x2000): atomic_requests == 0
#include "every_shape.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;
using stage20::multiply_tile, stage21::multiply_snake, stage22::tile_corner;
using stage26::launch_overlapping, stage35::copy_aligned, stage37::BK;

constexpr int BM = 64, BN = 64, TM = 8, TN = 8, BLOCKS = 6, THREADS = 64;   // the small tile

// The sums of all parts of a tile, for every P-th row. Each block of the cluster has a part in
// shared memory; a thread adds one column.
__device__ void store_sums(float *C, position block, int M, int N, float *smem)
{
    auto cluster = cg::this_cluster();
    int P = cluster.num_blocks(), part = cluster.block_rank(), col = block.col + threadIdx.x;
    float sum[BM / 2] = {};   // all loads of a part are in flight at once

    for (int p = 0; p < P; p++) {
        float *from = cluster.map_shared_rank(smem, p) + threadIdx.x;
        for (int i = 0; i < BM / 2; i++)
            if (i * P + part < BM)
                sum[i] += from[(i * P + part) * (BN + 4)];
    }
    for (int i = 0; i < BM / 2; i++)
        if (int row = block.row + i * P + part; i * P + part < BM && row < M && col < N)
            C[(size_t)row * N + col] = sum[i];
}

// Each cluster computes a tile, each of its blocks an equal share of the steps.
__global__ void __launch_bounds__(THREADS, BLOCKS)
    multiply_parts(const float *a, const float *b, float *C, int M, int N, int K, int lda, int ldb)
{
    extern __shared__ float4 memory[];
    Tiles<BM, BN, BK> *tiles = (Tiles<BM, BN, BK> *)memory;   // DEPTH of them
    auto part_sums = (float(*)[BN + 4]) memory;               // after the last step
    auto cluster = cg::this_cluster();
    int P = cluster.num_blocks(), part = cluster.block_rank(), steps = ceil_div(K, BK);
    int first = steps * part / P, count = steps * (part + 1) / P - first;
    position thread = thread_position<BN, TM, TN>();
    position block = tile_corner<BM, BN>(blockIdx.x / P, N);   // in C
    alignas(16) float sum[TM][TN] = {};

    cudaTriggerProgrammaticLaunchCompletion();   // the next call may start where an SM has room
    cudaGridDependencySynchronize();             // the copies are complete
    AlignedCopies<THREADS, BM, BN, BK> copies = { a, b, lda, ldb };
    copies.prepare(block, K - (steps - first) * BK);
    multiply_tile(sum, tiles, thread, copies, count, multiply_snake<TM, TN>);
    __pipeline_wait_prior(0);
    __syncthreads();   // the copies and reads of the tiles are complete
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j += 4)
            *(float4 *)&part_sums[thread.row + i / 4 * 4 * LANE_ROWS + i % 4]
                                 [thread.col + LANE_COLS * j] = *(float4 *)&sum[i][j];
    cluster.sync();   // all parts are in shared memory
    store_sums(C, block, M, N, (float *)memory);
    cluster.sync();   // shared memory must exist until the last block has read it
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int tiles = ceil_div(M, BM) * ceil_div(N, BN), resident = BLOCKS * multiprocessors();
    int parts = min(min(8, resident / tiles), K / 128);

    if (parts < 2 || 5 * tiles * parts < 4 * resident)
        return stage37::matmul(A, B, C, M, N, K);
    int lda = ceil_div(M, 4) * 4, ldb = ceil_div(N, 4) * 4;
    int a_tiles = ceil_div(M, 64) * ceil_div(K, 32);
    size_t a_words = (size_t)K * lda, b_words = N % 4 ? (size_t)K * ldb : 0;   // of the copies
    float *a = (float *)scratch(4 * (a_words + b_words)), *b = a + a_words;
    cudaLaunchAttribute with[2] = { { cudaLaunchAttributeProgrammaticStreamSerialization },
                                    { cudaLaunchAttributeClusterDimension } };
    with[0].val.programmaticStreamSerializationAllowed = 1;
    with[1].val.clusterDim = { (unsigned)parts, 1, 1 };
    cudaLaunchConfig_t config = { tiles * parts,       THREADS, DEPTH * sizeof(Tiles<BM, BN, BK>),
                                  cudaStreamPerThread, with,    2 };

    launch_overlapping(copy_aligned, a_tiles + ceil_div(b_words, 2048), 256, 0, A, B, a, b, M, N, K,
                       lda, ldb, a_tiles);
    cudaLaunchKernelEx(&config, multiply_parts, (const float *)a, N % 4 ? (const float *)b : B, C,
                       M, N, K, lda, ldb);
}
