// Atomic functions and memory fences, for cuda_runtime.h. Types that CUDA does not support for a
// function do not compile.
#ifndef EMU_ATOMICS_H
#define EMU_ATOMICS_H

typedef unsigned long long emu_u64;

// Scopes are ignored: every operation is visible to all threads.
#define EMU_ATOMIC(name, T)                                                                \
    T name(T *address, T value);                                                           \
    __device__ inline T name##_block(T *address, T value) { return name(address, value); } \
    __device__ inline T name##_system(T *address, T value) { return name(address, value); }
EMU_ATOMIC(atomicAdd, emu_u64)
EMU_ATOMIC(atomicAdd, float)
EMU_ATOMIC(atomicAdd, double)
EMU_ATOMIC(atomicSub, int)
EMU_ATOMIC(atomicSub, unsigned)
EMU_ATOMIC(atomicExch, int)
EMU_ATOMIC(atomicExch, unsigned)
EMU_ATOMIC(atomicExch, emu_u64)
EMU_ATOMIC(atomicExch, float)
EMU_ATOMIC(atomicMin, int)
EMU_ATOMIC(atomicMin, unsigned)
EMU_ATOMIC(atomicMin, long long)
EMU_ATOMIC(atomicMin, emu_u64)
EMU_ATOMIC(atomicMax, int)
EMU_ATOMIC(atomicMax, unsigned)
EMU_ATOMIC(atomicMax, long long)
EMU_ATOMIC(atomicMax, emu_u64)
EMU_ATOMIC(atomicInc, unsigned)
EMU_ATOMIC(atomicDec, unsigned)
EMU_ATOMIC(atomicAnd, int)
EMU_ATOMIC(atomicAnd, unsigned)
EMU_ATOMIC(atomicAnd, emu_u64)
EMU_ATOMIC(atomicOr, int)
EMU_ATOMIC(atomicOr, unsigned)
EMU_ATOMIC(atomicOr, emu_u64)
EMU_ATOMIC(atomicXor, int)
EMU_ATOMIC(atomicXor, unsigned)
EMU_ATOMIC(atomicXor, emu_u64)
#undef EMU_ATOMIC

// nvcc has an instruction that counts the lanes that add 1.
#define EMU_ADD(T)                                                                                 \
    T atomicAddAny(T *address, T value);                                                           \
    T atomicAddOne(T *address);                                                                    \
    __device__ inline T atomicAdd(T *address, T value)                                             \
    {                                                                                              \
        return __builtin_constant_p(value) && value == 1 ? atomicAddOne(address)                   \
                                                         : atomicAddAny(address, value);           \
    }                                                                                              \
    __device__ inline T atomicAdd_block(T *address, T value) { return atomicAdd(address, value); } \
    __device__ inline T atomicAdd_system(T *address, T value) { return atomicAdd(address, value); }
EMU_ADD(int)
EMU_ADD(unsigned)
#undef EMU_ADD

#define EMU_CAS(T)                                                       \
    T atomicCAS(T *address, T compare, T value);                         \
    __device__ inline T atomicCAS_block(T *address, T compare, T value)  \
    {                                                                    \
        return atomicCAS(address, compare, value);                       \
    }                                                                    \
    __device__ inline T atomicCAS_system(T *address, T compare, T value) \
    {                                                                    \
        return atomicCAS(address, compare, value);                       \
    }
EMU_CAS(int)
EMU_CAS(unsigned)
EMU_CAS(emu_u64)
EMU_CAS(unsigned short)
#undef EMU_CAS

extern "C" {
void __threadfence_block(void);
void __threadfence(void);
void __threadfence_system(void);
}

#endif
