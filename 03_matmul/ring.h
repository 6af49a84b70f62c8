// What persistent pipelines have in common, whatever the type of their elements. Each namespace is
// named after the stage that shows its contents, and has the same text.
#ifndef RING_H
#define RING_H

#include "../common/stage/ptx_bf16.h"
#include "../common/stage/ptx_cluster.h"
#include "../common/stage/stage.h"

namespace stage18 {
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
}   // namespace stage18

namespace stage22 {
// A place in a ring, and the parity of the phase of its mbarriers: 0 in the first round, 1 in the
// second.
template <int DEPTH> struct Place {
    int at = 0, parity = 0;

    __device__ void next()
    {
        at = at + 1 == DEPTH ? 0 : at + 1;
        parity ^= at == 0;
    }
};
}   // namespace stage22

namespace stage24 {
struct position {
    int row, col;
};

// The first element of a tile of C. The tiles run down the columns of a group of HEIGHT rows of
// tiles, then of the next group, whose first row of tiles is `top` (rasterization).
template <int BM, int BN, int HEIGHT> __device__ position tile_corner(int tile, int M, int N)
{
    int tile_rows = ceil_div(M, BM), tile_cols = ceil_div(N, BN);
    int top = tile / (HEIGHT * tile_cols) * HEIGHT, height = min(HEIGHT, tile_rows - top);
    int in_group = tile % (HEIGHT * tile_cols);

    return { (top + in_group % height) * BM, in_group / height * BN };
}
}   // namespace stage24
#endif
