// What the memory-only twins of some stages do instead of the arithmetic; convolution.h says what a
// twin is. Each function copies pixels, and ORs the other loaded words under a mask that is 0, so
// that the compiler keeps their loads. In a stage itself no function is called.
#ifndef TWINS_H
#define TWINS_H

#if defined MEMORY_ONLY && !defined EMU_CPU_DEVICE
#pragma nv_diag_suppress 128   // a loop after TWIN(return ...) is not reachable
#endif

// The 8 pixels of the middle one of five rows of 4 words.
template <class Row>
__device__ inline void copy_row(unsigned pixels[2], const Row *rows, const struct filter &f)
{
    unsigned others = 0;

    for (int i = 0; i < 20; i++)
        others |= rows[i / 4].word[i % 4];
    for (int i = 0; i < 2; i++)
        pixels[i] = rows[2].word[1 + i] | (others & f.c[0]);
}

// Stages 18 and 19: the row two above the next one, which is the third byte of each column's word.
// The outermost columns keep the loads of the halo.
__device__ inline void copy_columns(unsigned pixels[4], const unsigned column[20],
                                    const struct filter &f)
{
    for (int i = 0; i < 4; i++) {
        const unsigned *own = column + 2 + 4 * i;
        unsigned left = __byte_perm(own[0], own[1], 0x62);
        unsigned right = __byte_perm(own[2], own[3], 0x62);
        pixels[i] = __byte_perm(left, right, 0x5410) | ((column[0] | column[19]) & f.c[0]);
    }
}

// Tensor cores: 8 pixels of output row t, which lane t - 2 loaded (lower) or t + 2 (upper).
template <class Row>
__device__ inline uint2 copy_fragment(Row upper, Row lower, const struct filter &f)
{
    bool first = threadIdx.x % 4 < 2;
    unsigned others = upper.word[0] | upper.word[3] | lower.word[0] | lower.word[3];
    uint2 pixels;

    pixels.x =
        __shfl_xor_sync(0xffffffff, first ? lower.word[1] : upper.word[1], 2) | (others & f.c[0]);
    pixels.y =
        __shfl_xor_sync(0xffffffff, first ? lower.word[2] : upper.word[2], 2) | (others & f.c[0]);
    return pixels;
}

#endif
