// The second part of stages.h: types and functions of the stages with tensor cores, 14 to 20.
#ifndef STAGES_MMA_H
#define STAGES_MMA_H

namespace stage14 {
using stage6::row, stage9::bits_2p23, stage10::pack_u8;

// A lane's parts (fragments) of the matrices of one mma. It is lane 4g + t and has two words of 16:
// word 2g, which is row g of a, and word 2g + 1, which is row g + 8. (mma does not mix rows, so any
// order of the words will do: the sums of a word are in the same row of `sum`.)
//
//   a: 16 words x 8 input rows     row t   row t + 4       b: 8 input rows x 8 columns   column g
//   row g:     word 2g             a[0]    a[2]            input row t                   b[0]
//   row g + 8: word 2g + 1         a[1]    a[3]            input row t + 4               b[1]
//
//   sum: 16 words x 8 columns      column 2t   2t + 1      columns 2t and 2t + 1 are output row t:
//   row g:     word 2g             sum[0]      sum[1]      the lane gets its own two words of
//   row g + 8: word 2g + 1         sum[2]      sum[3]      output row t

// Convolves 8 input rows. Each lane passes rows t (upper) and t + 4 (lower) at pixel columns 8g to
// 8g + 7, and its parts of the four b, and gets these 8 pixels of output row t.
__device__ inline uint2 convolve_mma(struct row upper, struct row lower, const unsigned b[2][2][2],
                                     float scale)
{
    int sum[2][4] = { { bits_2p23, bits_2p23, bits_2p23, bits_2p23 },
                      { bits_2p23, bits_2p23, bits_2p23, bits_2p23 } };
    float value[4], bias = -0x1p23f * scale;   // as in stage 9
    unsigned pixels[2];

    for (int pair = 0; pair < 2; pair++)
        for (int k = pair; k < pair + 2; k++) {   // pair 0: words before and own; 1: own and after
            unsigned a[4] = { upper.word[k], upper.word[k + 1], lower.word[k], lower.word[k + 1] };
            mma_m16n8k32(sum[pair], a, b[pair][k - pair], sum[pair]);
        }
    for (int word = 0; word < 2; word++) {
        for (int p = 0; p < 4; p++)
            value[p] = fmaf(__int_as_float(sum[p / 2][2 * word + p % 2]), scale, bias);
        pixels[word] = pack_u8(value);
    }
    return make_uint2(pixels[0], pixels[1]);
}
}   // namespace stage14

namespace stage15 {
using stage4::store_vector, stage6::row, stage14::convolve_mma;

// The row whose 8 pixels start at `own` in shared memory.
__device__ inline struct row load_shared_row(const unsigned *own)
{
    uint2 middle = *(const uint2 *)own;

    return { { own[-1], middle.x, middle.y, own[2] } };
}

struct no_wait {
    __device__ void operator()(int) const {}
};

// A warp convolves 64 columns of a tile with rows of `chunks` chunks of 4 words, top to bottom. A
// step makes 4 rows of output from 8 rows: lane 4g + t has 8 pixels in row t of them, and loads 8
// in row t + 4, which is row t of the next step. It stores 8 at column x of rows y, y + 4, ...
// wait(i) waits for row i of the tile (stage 20).
template <int rows, int chunks, class Wait = no_wait>
__device__ inline void convolve_columns(const unsigned *own, const struct image &image, int x,
                                        int y, const unsigned b[2][2][2], float scale,
                                        Wait wait = {})
{
    struct row upper = load_shared_row(own);

#pragma unroll 4
    for (int i = 0; i < rows; i += 4) {
        wait(i + 4);
        own += 4 * chunks * 4;   // 4 rows of `chunks` chunks of 4 words
        struct row lower = load_shared_row(own);
        uint2 pixels = convolve_mma(upper, lower, b, scale);
        if (y + i < image.height - 2)
            store_vector(image.out + (y + i) * image.pitch, x, image.width, pixels);
        upper = lower;
    }
}
}   // namespace stage15

namespace stage16 {
// Describes the input to TMA, which copies boxes of it: `rows` rows of `chunks` chunks. The columns
// of the map are words, because a box has at most 256 elements per row.
inline CUtensorMap image_map(const struct image &image, int rows, int chunks)
{
    return *tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_UINT32, image.in, image.height, image.pitch / 4,
                          rows, 4 * chunks, CU_TENSOR_MAP_SWIZZLE_NONE);
}
}   // namespace stage16

namespace stage18 {
// How to launch a kernel that may start before the previous one of the stream has ended.
inline cudaLaunchConfig_t dependent_launch(dim3 grid, dim3 block)
{
    static cudaLaunchAttribute pdl;   // the configuration refers to it

    pdl.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    pdl.val.programmaticStreamSerializationAllowed = 1;
    // 0 bytes of dynamic shared memory; 1 attribute
    return { grid, block, 0, cudaStreamPerThread, &pdl, 1 };
}
}   // namespace stage18

namespace stage19 {
// In small images, each lane of the block's last warp asks for a row of the tile to be brought into
// L2. A tile has `rows` rows of `chunks` chunks, and 2 rows above and below. The output starts at
// (left, top).
template <int rows, int chunks, int warps>
__device__ inline void prefetch_tile(const struct image &image, int left, int top)
{
    int row = top - 2 + threadIdx.x;
    const bool small = rows < 32;   // large images have tiles of 32 rows

    if (small && threadIdx.y == warps - 1 && threadIdx.x < rows + 4 && row < image.height)
        prefetch_l2(image.in + row * image.pitch + left, min(16 * chunks, image.pitch - left));
}
}   // namespace stage19

#endif
