// Named wrappers of the PTX instructions dp4a, mma and cvt.pack for 8-bit integers: products
// of unsigned with signed values, for which CUDA C has no intrinsics. Operands are named as in the
// PTX ISA: a and b are multiplied, c is added. All sums are ints, and exact.
//
// For targets that lack an instruction (dp4a: before sm_61; cvt.pack: sm_72; this mma: sm_80), the
// same result is computed in plain C and with shuffles, which is slow.
#ifndef PTX_MMA_H
#define PTX_MMA_H

#ifdef __CUDA_ARCH__
#define PTX_ARCH __CUDA_ARCH__
#elif defined EMU_CPU_DEVICE
#define PTX_ARCH 900
#else
#define PTX_ARCH 0
#endif

// Byte k of a word, unsigned and signed.
__device__ inline int unsigned_byte(unsigned word, int k) { return word >> 8 * k & 255; }
__device__ inline int signed_byte(unsigned word, int k) { return (signed char)(word >> 8 * k); }

// c + the dot product of a, four unsigned bytes, and b, four signed bytes.
__device__ inline int dp4a(unsigned a, unsigned b, int c)
{
#if PTX_ARCH >= 610
    asm("dp4a.u32.s32 %0, %1, %2, %0;" : "+r"(c) : "r"(a), "r"(b));
#else
    for (int k = 0; k < 4; k++)
        c += unsigned_byte(a, k) * signed_byte(b, k);
#endif
    return c;
}

// Packs a word: its lowest byte is b and the next one a, each clamped to 0..255; its upper two
// bytes are the lower two bytes of c.
__device__ inline unsigned cvt_pack_sat_u8(int a, int b, unsigned c)
{
#if PTX_ARCH >= 720
    unsigned word;
    asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(word) : "r"(a), "r"(b), "r"(c));
    return word;
#else
    return min(max(b, 0), 255) | min(max(a, 0), 255) << 8 | c << 16;
#endif
}

// mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32, d = a x b + c for a whole warp: a is 16 x 32
// unsigned bytes, b is 32 x 8 signed bytes, c and d are 16 x 8 ints. With g = lane / 4 and t = lane
// % 4, the lane holds
//
//   a[0], a[1]            columns 4t to 4t + 3 of rows g and g + 8
//   a[2], a[3]            columns 4t + 16 to 4t + 19 of rows g and g + 8
//   b[0], b[1]            rows 4t to 4t + 3, and rows 4t + 16 to 4t + 19, of column g
//   c[0], c[1], d[0]-[1]  columns 2t and 2t + 1 of row g
//   c[2], c[3], d[2]-[3]  columns 2t and 2t + 1 of row g + 8
//
// (PTX ISA, "Matrix Fragments for mma.m16n8k32".)
__device__ inline void mma_m16n8k32(int d[4], const unsigned a[4], const unsigned b[2],
                                    const int c[4])
{
#if PTX_ARCH >= 800
    asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, "
        "%9}, {%10, %11, %12, %13};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]),
          "r"(c[2]), "r"(c[3]));
#else
    int lane = threadIdx.x % 32;   // blocks are whole warps along x

    for (int k = 0; k < 4; k++)
        d[k] = c[k];
    for (int t = 0; t < 4; t++) {
        // rows[0]: columns 0 to 15 of a, rows[1]: columns 16 to 31. Each has row g in its lower 32
        // bits and row g + 8 in its upper 32 bits.
        unsigned long long rows[2];
        for (int k = 0; k < 2; k++)
            rows[k] = __shfl_sync(~0u, a[2 * k] | (unsigned long long)a[2 * k + 1] << 32,
                                  lane / 4 * 4 + t);
        for (int n = 0; n < 2; n++) {
            unsigned long long column =
                __shfl_sync(~0u, b[0] | (unsigned long long)b[1] << 32, lane % 4 * 8 + n * 4 + t);
            for (int k = 0; k < 2; k++) {
                d[n] = dp4a((unsigned)rows[k], (unsigned)(column >> 32 * k), d[n]);
                d[2 + n] = dp4a((unsigned)(rows[k] >> 32), (unsigned)(column >> 32 * k), d[2 + n]);
            }
        }
    }
#endif
}

#endif
