// The cost model of products in bf16, in a namespace that is named after the stage that shows it,
// with the same text.
#ifndef PLANS_H
#define PLANS_H

#include "cluster.h"

namespace stage25 {
// How a product is computed, and in how many cycles, as the model says.
struct Plan {
    int BN, cluster;              // columns of a tile; blocks per cluster
    double products, epilogues;   // cycles
};

// Cycles of a step, if `running` blocks run at once.
inline double step_cycles(int BN, int cluster, int running)
{
    const int BM = 128, BK = 64;
    double tensor = 4 * BN, copied = 2 * BK * (BM + BN), L2 = 2 * BK * (BM + BN / cluster);
    double shared = (copied + BM / 64 * 2 * BK * (64 + BN)) / 128;

    return max(max(tensor, shared), L2 / min(64., 6154. / running));
}

inline Plan make_plan(int M, int N, int K, int BN, int cluster)
{
    int tiles = ceil_div(M, cluster * 128) * cluster * ceil_div(N, BN);
    int sms = multiprocessors() / cluster * cluster, waves = ceil_div(tiles, sms);

    return { BN, cluster, waves * ceil_div(K, 64) * step_cycles(BN, cluster, min(tiles, sms)),
             waves * 13. * BN };   // about 3400 cycles from the last product of a tile to the
                                   // first of the next, if BN is 256 (make epilogue)
}

// The plan with the fewest cycles: 64, 128 or 256 columns, one block or two.
inline Plan best_plan(int M, int N, int K)
{
    Plan best = make_plan(M, N, K, 256, 2);

    for (int i = 0; i < 6; i++) {
        Plan plan = make_plan(M, N, K, 64 << i / 2, i % 2 + 1);
        if (plan.products + plan.epilogues < best.products + best.epilogues)
            best = plan;
    }
    return best;
}
}   // namespace stage25
#endif
