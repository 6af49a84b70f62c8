// stage29: three kernels, each with its tile scheduler: the shape decides which one runs
//
// Three kernels, each best for some shapes. matmul() asks the cost model of stage 25, and launches
// one of them, as a library does.
//   one wave    C has at most as many tiles of 64 x 128 as the GPU has SMs     stage 27
//   ping-pong   its products, without epilogues, take fewer cycles             stage 28
//   otherwise   the plan with the fewest cycles                                stage 26
// 0.95 favors ping-pong. The model overestimates its cycles by 2 %; 5 % is fitted to rates of one
// GPU (NOTES.md, Bf16: ping-pong). So is every dispatch: libraries measure, or keep tables per GPU.
// Look at: ./stage29 --shmoo.    make stage29 && ./stage29 -n 1024,4096        make diff A=28 B=29
// Needs: sm_90a
// Type: bf16
// Expect (cpu, 128x128x512, bf16): product_bytes == stage27.product_bytes
// Expect (cpu, 512x768x128, bf16): bulk_ld_bytes == stage28.bulk_ld_bytes
// Expect (cpu, 256x256x512, bf16): bulk_ld_bytes == stage26.bulk_ld_bytes
// Expect (sm_90, 1024, bf16): rate >= 0.97 * stage27.rate
#include "choices.h"

using stage25::best_plan, stage25::make_plan, stage25::Plan, stage26::launch_clusters;
using stage26::launch_plan, stage27::launch_one_wave, stage27::small_tiles;

void launch_best(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    Plan plan = best_plan(M, N, K), ping_pong = make_plan(M, N, K, stage28::BN, stage28::CLUSTER);
    if (small_tiles(M, N) <= multiprocessors())
        launch_one_wave(A, B, C, M, N, K);
    else if (0.95 * ping_pong.products < plan.products + plan.epilogues)
        launch_clusters<stage28::BN, stage28::CLUSTER>(stage28::multiply, sizeof(stage28::Shared),
                                                       A, B, C, M, N, K);
    else
        launch_plan(plan, A, B, C, M, N, K);
}

void matmul(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    if (N % 8 || K % 8)
        return refuse("N and K in multiples of 8 only");
    launch_best(A, B, C, M, N, K);
}
