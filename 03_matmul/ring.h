// What persistent pipelines have in common, whatever the type of their elements. Each namespace is
// named after the stage that shows its contents, and has the same text.
#ifndef RING_H
#define RING_H

#include <cooperative_groups.h>

#include "../common/stage/ptx_bf16.h"
#include "../common/stage/ptx_cluster.h"
#include "../common/stage/stage.h"

namespace cg = cooperative_groups;

namespace stage14 {
// The buffer that is next in a ring, and the parity of the phase of its mbarriers: 0 in the first
// round, 1 in the second (the pipeline state of CUTLASS).
template <int DEPTH> struct PipelineState {
    int index = 0, phase = 0;

    __device__ void advance()
    {
        index = index + 1 == DEPTH ? 0 : index + 1;
        phase ^= index == 0;
    }
};
}   // namespace stage14

namespace stage16 {
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
}   // namespace stage16
#endif
