// CUDA's built-in vector types, for C and C++. Alignments are those of the programming guide, table
// "Alignment Requirements"; they decide which accesses can be one request.
#ifndef EMU_VECTOR_TYPES_H
#define EMU_VECTOR_TYPES_H

#define EMU_ALIGNED(n) __attribute__((aligned(n)))

// Assigning a vector is one access, as on a GPU. Without this, g++ may store the members of a
// make_float4() separately. There is no declaration of a constructor: since C++20, a class with one
// is no aggregate.
#ifdef __cplusplus
typedef short emu_bits2 __attribute__((may_alias));
typedef int emu_bits4 __attribute__((may_alias));
typedef long long emu_bits8 __attribute__((may_alias));
typedef int emu_bits16 __attribute__((vector_size(16), may_alias));
// two accesses of 16 bytes
typedef int emu_bits32 __attribute__((vector_size(32), aligned(16), may_alias));
#define EMU_ASSIGN(type, bits)                                        \
    __attribute__((always_inline)) type &operator=(const type &other) \
    {                                                                 \
        *(bits *)this = *(const bits *)&other;                        \
        return *this;                                                 \
    }
#else
#define EMU_ASSIGN(type, bits)
#endif

#define EMU_VECTORS(base, name, align2, align4, bits2, bits4) \
    struct name##1 { base x; };                               \
    struct EMU_ALIGNED(align2) name##2                        \
    {                                                         \
        base x, y;                                            \
        EMU_ASSIGN(name##2, bits2)                            \
    };                                                        \
    struct name##3 { base x, y, z; };                         \
    struct EMU_ALIGNED(align4) name##4                        \
    {                                                         \
        base x, y, z, w;                                      \
        EMU_ASSIGN(name##4, bits4)                            \
    };                                                        \
    typedef struct name##1 name##1;                           \
    typedef struct name##2 name##2;                           \
    typedef struct name##3 name##3;                           \
    typedef struct name##4 name##4;

EMU_VECTORS(signed char, char, 2, 4, emu_bits2, emu_bits4)
EMU_VECTORS(unsigned char, uchar, 2, 4, emu_bits2, emu_bits4)
EMU_VECTORS(short, short, 4, 8, emu_bits4, emu_bits8)
EMU_VECTORS(unsigned short, ushort, 4, 8, emu_bits4, emu_bits8)
EMU_VECTORS(int, int, 8, 16, emu_bits8, emu_bits16)
EMU_VECTORS(unsigned int, uint, 8, 16, emu_bits8, emu_bits16)
EMU_VECTORS(float, float, 8, 16, emu_bits8, emu_bits16)
EMU_VECTORS(long long, longlong, 16, 16, emu_bits16, emu_bits32)
EMU_VECTORS(unsigned long long, ulonglong, 16, 16, emu_bits16, emu_bits32)
EMU_VECTORS(double, double, 16, 16, emu_bits16, emu_bits32)

#undef EMU_VECTORS

struct dim3 {
    unsigned int x, y, z;
#ifdef __cplusplus
    constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
#endif
};
typedef struct dim3 dim3;

#ifdef __cplusplus
#define EMU_MAKE(base, name)                                                                \
    inline constexpr name##1 make_##name##1(base x) { return { x }; }                       \
    inline constexpr name##2 make_##name##2(base x, base y) { return { x, y }; }            \
    inline constexpr name##3 make_##name##3(base x, base y, base z) { return { x, y, z }; } \
    inline constexpr name##4 make_##name##4(base x, base y, base z, base w)                 \
    {                                                                                       \
        return { x, y, z, w };                                                              \
    }

EMU_MAKE(signed char, char)
EMU_MAKE(unsigned char, uchar)
EMU_MAKE(short, short)
EMU_MAKE(unsigned short, ushort)
EMU_MAKE(int, int)
EMU_MAKE(unsigned int, uint)
EMU_MAKE(float, float)
EMU_MAKE(long long, longlong)
EMU_MAKE(unsigned long long, ulonglong)
EMU_MAKE(double, double)

#undef EMU_MAKE
#endif

#endif
