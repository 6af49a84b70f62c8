// What the source pass writes in place of inline PTX: values of the operands go to a call and come
// back from it, so that no variable of the kernel has to be in memory for it.
#ifndef EMU_PTX_INCLUDE_H
#define EMU_PTX_INCLUDE_H

// A statement. The constraints are separated by spaces: "=r +f l n". One that starts with * is an
// output of which the slot has the address.
struct emu_ptx_statement {
    const char *text, *constraints;
};

// One slot per operand.
template <unsigned emu_n> struct emu_ptx_slots {
    uint64_t slot[emu_n];
};

extern "C" {
#define EMU_PTX_RUN(n) \
    emu_ptx_slots<n> emu_ptx_run_##n(const emu_ptx_statement *, emu_ptx_slots<n>);
EMU_PTX_RUN(4)
EMU_PTX_RUN(8)
EMU_PTX_RUN(16)
EMU_PTX_RUN(32)
EMU_PTX_RUN(64)
EMU_PTX_RUN(272)
#undef EMU_PTX_RUN
}

template <char emu_c> constexpr size_t emu_ptx_bytes()
{
    return emu_c == 'h' ? 2 : emu_c == 'r' || emu_c == 'f' ? 4 : 8;
}

// Does a value of type T fit constraint C? As with nvcc, without a conversion.
template <char emu_c, class T> constexpr bool emu_ptx_fits()
{
    return sizeof(T) == emu_ptx_bytes<emu_c>() &&
           std::is_floating_point<T>::value == (emu_c == 'f' || emu_c == 'd');
}

// The slot of an input with constraint C. An `n` is extended to 8 bytes.
template <char emu_c, class T> __device__ inline uint64_t emu_ptx_in(T value)
{
    uint64_t bits = 0;

    if constexpr (emu_c == 'n')
        bits = (uint64_t)value;
    else {
        static_assert(emu_ptx_fits<emu_c, T>(),
                      "the operand of an asm statement does not have the type of its constraint");
        __builtin_memcpy(&bits, &value, sizeof value);
    }
    return bits;
}
template <char emu_c, class T> __device__ inline void emu_ptx_out(T &value, uint64_t bits)
{
    static_assert(emu_ptx_fits<emu_c, T>(),
                  "the operand of an asm statement does not have the type of its constraint");
    __builtin_memcpy(&value, &bits, sizeof value);
}

// ---- addresses in shared memory ----

extern "C" {
unsigned emu_shared_offset(const void *) __attribute__((const));
void *emu_shared_pointer(size_t offset) __attribute__((const));
enum emu_space { EMU_IN_GLOBAL, EMU_IN_SHARED, EMU_IN_CONSTANT, EMU_IN_LOCAL };
int emu_is_in(const void *, enum emu_space) __attribute__((const));
}
__device__ inline size_t __cvta_generic_to_shared(const void *p) { return emu_shared_offset(p); }
__device__ inline void *__cvta_shared_to_generic(size_t offset)
{
    return emu_shared_pointer(offset);
}
__device__ inline size_t __cvta_generic_to_global(const void *p) { return (size_t)p; }
__device__ inline void *__cvta_global_to_generic(size_t p) { return (void *)p; }
__device__ inline size_t __cvta_generic_to_constant(const void *p) { return (size_t)p; }
__device__ inline void *__cvta_constant_to_generic(size_t p) { return (void *)p; }
__device__ inline size_t __cvta_generic_to_local(const void *p) { return (size_t)p; }
__device__ inline void *__cvta_local_to_generic(size_t p) { return (void *)p; }
__device__ inline size_t __cvta_generic_to_grid_constant(const void *p) { return (size_t)p; }
__device__ inline unsigned __isGlobal(const void *p) { return emu_is_in(p, EMU_IN_GLOBAL); }
__device__ inline unsigned __isShared(const void *p) { return emu_is_in(p, EMU_IN_SHARED); }
__device__ inline unsigned __isConstant(const void *p) { return emu_is_in(p, EMU_IN_CONSTANT); }
__device__ inline unsigned __isLocal(const void *p) { return emu_is_in(p, EMU_IN_LOCAL); }

#endif
