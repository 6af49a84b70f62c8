// Hopper's asynchronous instructions: copies, products and what they are counted as.
#include <stdio.h>
#include <string.h>

#include <cuda.h>

#include "../../common/stage/ptx.h"
#include "emu.h"
#include "ok.h"

enum { ROWS = 32, COLS = 64 };

// A box through shared memory, to an array of its own.
__global__ void load_box(const __grid_constant__ CUtensorMap map, float *out, int x, int y)
{
    __shared__ alignas(1024) float tile[ROWS][32];
    __shared__ uint64_t full;
    int t = threadIdx.x;

    if (t == 0) {
        mbarrier_init(&full, 1);
        fence_proxy_async();
        mbarrier_arrive_expect_tx(&full, sizeof tile);
        tma_load_2d(tile, &map, x, y, &full);
    }
    __syncthreads();
    mbarrier_wait(&full, 0);
    for (int i = t; i < ROWS * 32; i += blockDim.x)
        out[i] = tile[i / 32][i % 32];
}

static CUtensorMap map_of(const float *in, CUtensorMapSwizzle swizzle)
{
    CUtensorMap map;
    cuuint64_t dim[] = { COLS, ROWS }, stride[] = { COLS * sizeof(float) };
    cuuint32_t box[] = { 32, ROWS }, step[] = { 1, 1 };

    if (cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, (void *)in, dim, stride,
                               box, step, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                               CU_TENSOR_MAP_L2_PROMOTION_NONE,
                               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE))
        fprintf(stderr, "the map is refused\n");
    return map;
}

int main()
{
    float *in, *out, host[ROWS * COLS], box[ROWS * 32];

    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof box);
    for (int i = 0; i < ROWS * COLS; i++)
        host[i] = i;
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    load_box<<<1, 128>>>(map_of(in, CU_TENSOR_MAP_SWIZZLE_128B), out, 32, -1);
    cudaMemcpy(box, out, sizeof box, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < ROWS * 32; i++) {
        int r = i / 32, c = i % 32, at = r * 32 + (c ^ r % 8 * 4);
        wrong += box[at] != (r == 0 ? 0 : host[(r - 1) * COLS + 32 + c]);
    }
    printf("%d\n", wrong);
    struct emu_counts n;
    emu_totals(&n);
    printf("%d %d %d\n", (int)n.bulk_ld_requests, (int)n.bulk_ld_sectors, (int)n.bulk_ld_bytes);
}
