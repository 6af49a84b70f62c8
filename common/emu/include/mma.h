// WMMA (CUDA C++ Programming Guide, "Warp Matrix Functions"): fragments, built on mma.sync as nvcc
// builds them for sm_90. A fragment of 16-bit types consists of tiles of 8 x 8, one register per
// lane: lane l has elements 2 * (l % 4) and the next one of row l / 4. A register is loaded by one
// instruction of 4 bytes, but fp16 and bytes from shared memory by ldmatrix; tiles whose rows are
// columns in memory are transposed (movmatrix). A product of 8 x 32 is that of the transposes.
#ifndef EMU_MMA_H
#define EMU_MMA_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}

__device__ inline float __float_to_tf32(float value)
{
    unsigned bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
    return __uint_as_float(bits);
}

namespace emu {

__device__ inline unsigned lane()
{
    return ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) % 32;
}

// How an element is stored.
template <class T> struct storage {
    using type = T;
};
template <> struct storage<precision::tf32> {
    using type = float;
};

// The number of elements that nvcc documents by num_elements. Rows are those of A, columns of B.
template <class Use, int M, int N, int K, class T> constexpr int elements()
{
    constexpr bool is_a = ::std::is_same<Use, matrix_a>(), is_b = ::std::is_same<Use, matrix_b>();
    if (is_a || is_b) {
        if (::std::is_same<T, __half>())
            return 16;   // of which m8n32k16 and m32n8k16 use 4 in one matrix, m16n16k16 8
        return (is_a ? M : N) * K / 32;
    }
    return M * N / 32;
}
template <class T, int M, int N, int K> constexpr bool is_shape()
{
    constexpr bool is_16 =
        K == 16 && ((M == 16 && N == 16) || (M == 32 && N == 8) || (M == 8 && N == 32));
    if (::std::is_same<T, precision::tf32>())
        return M == 16 && N == 16 && K == 8;
    if (::std::is_same<T, double>())
        return M == 8 && N == 8 && K == 4;
    return is_16 && (::std::is_same<T, __half>() || ::std::is_same<T, __nv_bfloat16>() ||
                     ::std::is_same<T, signed char>() || ::std::is_same<T, unsigned char>());
}
template <class T, int M, int N, int K> constexpr bool is_sum()
{
    return ::std::is_same<T, double>()
             ? M == 8 && N == 8 && K == 4
             : (is_shape<__half, M, N, K>() &&
                (::std::is_same<T, float>() || ::std::is_same<T, __half>() ||
                 ::std::is_same<T, int>())) ||
                   (is_shape<precision::tf32, M, N, K>() && ::std::is_same<T, float>());
}

// Register i of the fragment's elements.
template <class F> __device__ inline unsigned get(const F &f, int i)
{
    unsigned bits;
    __builtin_memcpy(&bits, (const char *)f.x + 4 * i, 4);
    return bits;
}
template <class F> __device__ inline void set(F &f, int i, unsigned bits)
{
    __builtin_memcpy((char *)f.x + 4 * i, &bits, 4);
}

__device__ inline unsigned transposed(unsigned tile)
{
    unsigned result;
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(result) : "r"(tile));
    return result;
}

// The address of the row that this lane gives to ldmatrix: lane 8 t + i for row i of tile t.
template <class T>
__device__ inline unsigned row_of(const T *p, unsigned ld, bool across, int tiles)
{
    unsigned row = lane() % 8, tile = lane() / 8 % (unsigned)tiles, outer = tile % 2,
             inner = tile / 2;
    if (across)
        return (unsigned)__cvta_generic_to_shared(p + (8 * inner + row) * ld + 8 * outer);
    return (unsigned)__cvta_generic_to_shared(p + (8 * outer + row) * ld + 8 * inner);
}

// Tiles (o, 0), (o + 1, 0), (o, 1), (o + 1, 1) of a matrix with rows of `outer` and of 16 elements
// `inner`, as the operands of mma.sync are. across: in memory, a row has elements of `outer`.
template <class F, class T>
__device__ inline void load_tiles(F &f, const T *p, unsigned ld, bool across, int outer_tiles)
{
    if (::std::is_same<T, __half>() && __isShared(p)) {
        for (int o = 0; o < outer_tiles; o += 2) {
            unsigned a = row_of(across ? p + 8 * o : p + 8 * o * ld, ld, across, 4), r[4];
            if (across)
                asm volatile(
                    "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                    : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                    : "r"(a));
            else
                asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                             : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                             : "r"(a));
            for (int i = 0; i < 4; i++)
                set(f, 2 * o + i, r[i]);
        }
        return;
    }
    for (int o = 0; o < outer_tiles; o++)
        for (int k = 0; k < 2; k++) {
            unsigned row = lane() / 4, pair = 2 * (lane() % 4);
            const T *at = across ? p + (8 * k + row) * ld + 8 * o + pair
                                 : p + (8 * o + row) * ld + 8 * k + pair;
            unsigned bits = *(const unsigned *)at;
            set(f, o / 2 * 4 + 2 * k + o % 2, across ? transposed(bits) : bits);
        }
}
// The same for a matrix of one tile of 8 rows, (0, 0) and (0, 1).
template <class F, class T>
__device__ inline void load_narrow(F &f, const T *p, unsigned ld, bool across)
{
    unsigned row = lane() % 8, k = lane() / 8 % 2, r[2];

    if (::std::is_same<T, __half>() && __isShared(p)) {
        if (across) {
            unsigned a = (unsigned)__cvta_generic_to_shared(p + (8 * k + row) * ld);
            asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                         : "=r"(r[0]), "=r"(r[1])
                         : "r"(a));
        } else {
            unsigned a = (unsigned)__cvta_generic_to_shared(p + row * ld + 8 * k);
            asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                         : "=r"(r[0]), "=r"(r[1])
                         : "r"(a));
        }
    } else {
        unsigned outer = lane() / 4, pair = 2 * (lane() % 4);
        for (unsigned i = 0; i < 2; i++) {
            r[i] = *(const unsigned *)(across ? p + (8 * i + outer) * ld + pair
                                              : p + outer * ld + 8 * i + pair);
            if (across)
                r[i] = transposed(r[i]);
        }
    }
    set(f, 0, r[0]);
    set(f, 1, r[1]);
}

// Single bytes: row l / 4 of 8 rows, elements 4 * (l % 4) to the next three.
template <class F, class T>
__device__ inline void load_bytes(F &f, const T *p, unsigned ld, bool across, int tiles)
{
    unsigned row = lane() / 4, first = 4 * (lane() % 4);

    if (!across && __isShared(p)) {
        for (int o = 0; o < tiles; o += 2) {
            unsigned a = (unsigned)__cvta_generic_to_shared(p + (8 * o + lane() % 16) * ld), r[2];
            if (tiles == 1) {
                a = (unsigned)__cvta_generic_to_shared(p + lane() % 8 * ld);
                asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
                             : "=r"(r[0])
                             : "r"(a));
            } else {
                asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                             : "=r"(r[0]), "=r"(r[1])
                             : "r"(a));
                set(f, o + 1, r[1]);
            }
            set(f, o, r[0]);
        }
        return;
    }
    for (int o = 0; o < tiles; o++) {
        if (across) {
            for (unsigned i = 0; i < 4; i++)
                f.x[4 * o + i] = p[(first + i) * ld + 8 * o + row];
        } else {
            set(f, o, *(const unsigned *)(p + (8 * o + row) * ld + first));
        }
    }
}

// The elements of a sum: tile of 16 rows r, columns 2 * (l % 4) and the next one, rows l / 4 and
// 8 more. `f(i, row, column)` is called for each element i.
template <int M, int N, class Each> __device__ inline void each_of_sum(Each each)
{
    constexpr bool is_flipped = M == 8;   // the sum of the transposes
    constexpr int rows = is_flipped ? N : M, columns = is_flipped ? M : N;

    for (int r = 0; r < rows / 16; r++)
        for (int c = 0; c < columns / 8; c++)
            for (int i = 0; i < 4; i++)
                each((r * (columns / 8) + c) * 4 + i, 16 * r + (int)lane() / 4 + i / 2 * 8,
                     8 * c + 2 * ((int)lane() % 4) + i % 2);
}
// Does memory have the rows of the sum that mma.sync computes?
template <int M> __device__ inline bool along_rows(layout_t layout)
{
    return (layout == mem_row_major) == (M != 8);
}

}   // namespace emu

template <class Use, int M, int N, int K, class T, class Layout = void> class fragment {
    static_assert(::std::is_same<Use, accumulator>() ? emu::is_sum<T, M, N, K>()
                                                     : emu::is_shape<T, M, N, K>(),
                  "the CPU device has no WMMA fragments of this shape and type");

  public:
    using element_type = T;
    using storage_element_type = typename emu::storage<T>::type;
    static constexpr int num_elements = emu::elements<Use, M, N, K, T>();
    static constexpr int num_storage_elements = num_elements;
    storage_element_type x[num_elements];
};

template <class Use, int M, int N, int K, class T, class Layout, class V>
__device__ inline void fill_fragment(fragment<Use, M, N, K, T, Layout> &f, const V &value)
{
    for (auto &x : f.x)
        x = (typename emu::storage<T>::type)value;
}

// A and B.
template <class Use, int M, int N, int K, class T, class Layout>
__device__ inline ::std::enable_if_t<!::std::is_same<Use, accumulator>::value> load_matrix_sync(
    fragment<Use, M, N, K, T, Layout> &f, const typename emu::storage<T>::type *p, unsigned ld)
{
    constexpr bool is_a = ::std::is_same<Use, matrix_a>();
    // Are the elements of a row of A, or of a column of B, apart in memory?
    constexpr bool across = is_a == ::std::is_same<Layout, col_major>::value;
    constexpr int outer = is_a ? M : N;
    constexpr size_t bytes = sizeof(*p);

    if constexpr (bytes == 2) {
        if constexpr (outer == 8)
            emu::load_narrow(f, p, ld, across);
        else
            emu::load_tiles(f, p, ld, across, outer / 8);
        if constexpr (::std::is_same<T, __half>())   // the elements that are not used
            for (int i = outer * K / 32; i < f.num_elements; i++)
                f.x[i] = f.x[i % (outer * K / 32)];
    } else if constexpr (bytes == 1) {
        emu::load_bytes(f, p, ld, across, outer / 8);
    } else {   // words of 4 (TF32) and 8 bytes (double): element (l / 4 + 8 * o, l % 4 + 4 * k)
        for (int o = 0; o < outer / 8; o++)
            for (int k = 0; k < K / 4; k++) {
                unsigned row = 8 * o + emu::lane() / 4, at = 4 * k + emu::lane() % 4;
                f.x[k * (outer / 8) + o] = across ? p[at * ld + row] : p[row * ld + at];
            }
    }
}

template <int M, int N, int K, class T>
__device__ inline void load_matrix_sync(fragment<accumulator, M, N, K, T> &f, const T *p,
                                        unsigned ld, layout_t layout)
{
    if constexpr (M == 8 && N == 8) {
        unsigned row = emu::lane() / 4, column = 2 * (emu::lane() % 4);
        if (layout == mem_row_major) {
            double2 pair = *(const double2 *)(p + row * ld + column);
            f.x[0] = pair.x;
            f.x[1] = pair.y;
        } else {
            for (unsigned i = 0; i < 2; i++)
                f.x[i] = p[(column + i) * ld + row];
        }
    } else if (emu::along_rows<M>(layout)) {
        using Pair = ::std::conditional_t<sizeof(T) == 2, unsigned, unsigned long long>;
        emu::each_of_sum<M, N>([&](int i, int row, int column) {
            if (i % 2 == 0) {
                Pair pair = *(const Pair *)(p + row * ld + column);
                __builtin_memcpy((void *)&f.x[i], &pair, sizeof pair);
            }
        });
    } else if constexpr (sizeof(T) == 2) {
        emu::each_of_sum<M, N>([&](int i, int row, int column) {
            int r = row - (int)emu::lane() / 4, c = column - 2 * ((int)emu::lane() % 4);
            if (i % 2 == 0)
                emu::set(f, i / 2,
                         emu::transposed(*(const unsigned *)(p + (c + emu::lane() / 4) * ld + r +
                                                             2 * (emu::lane() % 4))));
        });
    } else {
        emu::each_of_sum<M, N>([&](int i, int row, int column) { f.x[i] = p[column * ld + row]; });
    }
}

template <int M, int N, int K, class T>
__device__ inline void store_matrix_sync(T *p, const fragment<accumulator, M, N, K, T> &f,
                                         unsigned ld, layout_t layout)
{
    if constexpr (M == 8 && N == 8) {
        unsigned row = emu::lane() / 4, column = 2 * (emu::lane() % 4);
        if (layout == mem_row_major)
            *(double2 *)(p + row * ld + column) = make_double2(f.x[0], f.x[1]);
        else
            for (unsigned i = 0; i < 2; i++)
                p[(column + i) * ld + row] = f.x[i];
    } else if (emu::along_rows<M>(layout)) {
        using Pair = ::std::conditional_t<sizeof(T) == 2, unsigned, unsigned long long>;
        emu::each_of_sum<M, N>([&](int i, int row, int column) {
            if (i % 2 == 0) {
                Pair pair;
                __builtin_memcpy(&pair, (const void *)&f.x[i], sizeof pair);
                *(Pair *)(p + row * ld + column) = pair;
            }
        });
    } else if constexpr (sizeof(T) == 2) {
        emu::each_of_sum<M, N>([&](int i, int row, int column) {
            int r = row - (int)emu::lane() / 4, c = column - 2 * ((int)emu::lane() % 4);
            if (i % 2 == 0)
                *(unsigned *)(p + (c + emu::lane() / 4) * ld + r + 2 * (emu::lane() % 4)) =
                    emu::transposed(emu::get(f, i / 2));
        });
    } else {
        emu::each_of_sum<M, N>([&](int i, int row, int column) { p[column * ld + row] = f.x[i]; });
    }
}

namespace emu {

#define EMU_MMA_FLOATS(name, type)                                                              \
    __device__ inline void name(float *d, const unsigned *a, const unsigned *b, const float *c) \
    {                                                                                           \
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32." type "." type                     \
                     ".f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};" \
                     : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])                           \
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]),        \
                       "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));                             \
    }
EMU_MMA_FLOATS(mma_half, "f16")
EMU_MMA_FLOATS(mma_bfloat, "bf16")
#undef EMU_MMA_FLOATS
__device__ inline void mma_half(unsigned *d, const unsigned *a, const unsigned *b,
                                const unsigned *c)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, "
                 "{%6, %7}, {%8, %9};"
                 : "=r"(d[0]), "=r"(d[1])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]),
                   "r"(c[1]));
}
__device__ inline void mma_tf32(float *d, const unsigned *a, const unsigned *b, const float *c)
{
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, "
                 "%6, %7}, {%8, %9}, {%10, %11, %12, %13};"
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]),
                   "f"(c[1]), "f"(c[2]), "f"(c[3]));
}
__device__ inline void mma_double(double *d, double a, double b, const double *c)
{
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
                 : "=d"(d[0]), "=d"(d[1])
                 : "d"(a), "d"(b), "d"(c[0]), "d"(c[1]));
}
#define EMU_MMA_BYTES(name, type, saturates)                                                \
    __device__ inline void name(int *d, const unsigned *a, const unsigned *b, const int *c) \
    {                                                                                       \
        asm volatile("mma.sync.aligned.m16n8k16.row.col" saturates ".s32." type "." type    \
                     ".s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"            \
                     : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])                       \
                     : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]), "r"(c[2]),    \
                       "r"(c[3]));                                                          \
    }
EMU_MMA_BYTES(mma_signed, "s8", "")
EMU_MMA_BYTES(mma_signed_clamped, "s8", ".satfinite")
EMU_MMA_BYTES(mma_unsigned, "u8", "")
EMU_MMA_BYTES(mma_unsigned_clamped, "u8", ".satfinite")
#undef EMU_MMA_BYTES

// A product of mma.sync: registers of A and B, elements of the sums.
template <class T, class D, class C>
__device__ inline void multiply(D *d, const unsigned *a, const unsigned *b, const C *c, bool clamp)
{
    if constexpr (::std::is_same<T, precision::tf32>()) {
        mma_tf32(d, a, b, c);
    } else if constexpr (::std::is_same<T, __nv_bfloat16>()) {
        mma_bfloat(d, a, b, c);
    } else if constexpr (::std::is_same<T, signed char>()) {
        clamp ? mma_signed_clamped(d, a, b, c) : mma_signed(d, a, b, c);
    } else if constexpr (::std::is_same<T, unsigned char>()) {
        clamp ? mma_unsigned_clamped(d, a, b, c) : mma_unsigned(d, a, b, c);
    } else if constexpr (::std::is_same<D, __half>() && ::std::is_same<C, __half>()) {
        unsigned sum[2], before[2];
        __builtin_memcpy(before, (const void *)c, sizeof before);
        mma_half(sum, a, b, before);
        __builtin_memcpy((void *)d, sum, sizeof sum);
    } else {   // sums of different types
        float sum[4], before[4];
        for (int i = 0; i < 4; i++)
            before[i] = (float)c[i];
        mma_half(sum, a, b, before);
        for (int i = 0; i < 4; i++)
            d[i] = (D)sum[i];
    }
}

}   // namespace emu

template <int M, int N, int K, class T, class Layout_a, class Layout_b, class D, class C>
__device__ inline void mma_sync(fragment<accumulator, M, N, K, D> &d,
                                const fragment<matrix_a, M, N, K, T, Layout_a> &a,
                                const fragment<matrix_b, M, N, K, T, Layout_b> &b,
                                const fragment<accumulator, M, N, K, C> &c, bool satf = false)
{
    if constexpr (::std::is_same<T, double>()) {
        emu::mma_double(d.x, a.x[0], b.x[0], c.x);
    } else {
        constexpr bool is_flipped = M == 8;
        // Registers of 16 rows of A and of 8 columns of B; halves and bfloats of B are in tiles of
        // 16 columns, unless there are only 8.
        constexpr int of_a = 16 * K * (int)sizeof(typename emu::storage<T>::type) / 128,
                      of_b = of_a / 2, rows = is_flipped ? N : M, columns = is_flipped ? M : N;
        constexpr bool is_in_tiles = sizeof(typename emu::storage<T>::type) > 1 && columns == 16;

        for (int r = 0; r < rows / 16; r++)
            for (int n = 0; n < columns / 8; n++) {
                unsigned x[4] = {}, y[2] = {};
                for (int i = 0; i < of_a; i++)
                    x[i] = is_flipped ? emu::get(b, r * of_a + i) : emu::get(a, r * of_a + i);
                for (int i = 0; i < of_b; i++) {
                    int at = is_in_tiles ? 2 * i + n : n * of_b + i;
                    y[i] = is_flipped ? emu::get(a, at) : emu::get(b, at);
                }
                int first = (r * (columns / 8) + n) * 4;
                emu::multiply<T>(d.x + first, x, y, c.x + first, satf);
            }
    }
}

}   // namespace wmma
}   // namespace nvcuda

#endif
