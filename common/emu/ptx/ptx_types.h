// Types of PTX instructions, and templates for handlers that compute one result from their
// operands.
#ifndef EMU_PTX_TYPES_H
#define EMU_PTX_TYPES_H

#include <cmath>

#include "exec/bits.h"
#include "include/cuda_bf16.h"
#include "include/cuda_fp16.h"
#include "ptx.h"

namespace emu {
namespace ptx {

// Pairs of 16-bit floats.
template <class T> struct Pair {
    T low, high;
};

// A 16-bit float that is computed with as a float. EXPONENT: bits of its exponent.
template <int EXPONENT> struct Small {
    uint16_t bits;
    Small() = default;
    Small(float v) : bits(emu_to_16<EXPONENT>(v)) {}
    operator float() const { return emu_from_16<EXPONENT>(bits); }
};
typedef Small<5> Half;
typedef Small<8> Bfloat;

// Rounding modes of floating-point instructions. odd: not one of PTX's; it makes a second rounding
// exact.
enum Round : uint32_t { NEAREST, TO_ZERO, UP, DOWN, AWAY };

inline Round round_of(const Instruction &in)
{
    return in.has("rz") || in.has("rzi") ? TO_ZERO
         : in.has("rp") || in.has("rpi") ? UP
         : in.has("rm") || in.has("rmi") ? DOWN
         : in.has("rna")                 ? AWAY
                                         : NEAREST;
}

// `what` is "u32", "f16x2" ...: calls f(T{}) with the C++ type, and returns its result; null for
// other types.
template <class F> Handler *with_integer(const std::string &what, F f)
{
    return what == "u16" || what == "b16" ? f(uint16_t{})
         : what == "s16"                  ? f(int16_t{})
         : what == "u32" || what == "b32" ? f(uint32_t{})
         : what == "s32"                  ? f(int32_t{})
         : what == "u64" || what == "b64" ? f(uint64_t{})
         : what == "s64"                  ? f(int64_t{})
                                          : nullptr;
}
template <class F> Handler *with_float(const std::string &what, F f)
{
    return what == "f32"    ? f(float{})
         : what == "f64"    ? f(double{})
         : what == "f16"    ? f(Half{})
         : what == "bf16"   ? f(Bfloat{})
         : what == "f16x2"  ? f(Pair<Half>{})
         : what == "bf16x2" ? f(Pair<Bfloat>{})
                            : nullptr;
}

}   // namespace ptx
}   // namespace emu

#endif
