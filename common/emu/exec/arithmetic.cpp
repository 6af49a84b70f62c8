// Shifts and conversions that C++ leaves undefined and a GPU defines. The compiler calls these
// functions before the operation (-fsanitize=shift-exponent,float-cast-overflow; they replace those
// of the sanitizer's library). They cannot change its result, which is the host's, so they note
// where it differs from a GPU's.
#include <cmath>
#include <cstring>

#include "sanitizer.h"
#include "report/report.h"

namespace emu {

static bool is_device_code() { return worker && worker->current; }

// The value that a handler is passed for a number of at most 64 bits.
static double number(const TypeDescriptor &type, uintptr_t value)
{
    float narrow;
    double wide;

    memcpy(&narrow, &value, sizeof narrow);
    memcpy(&wide, &value, sizeof wide);
    return type.info == 32 ? narrow : wide;
}

// Is the result the same as on a GPU? Both convert to narrower types by way of 32 bits. x86-64
// returns the smallest signed number for what a register cannot hold; aarch64 saturates as a GPU.
static bool is_converted_alike([[maybe_unused]] double value,
                               [[maybe_unused]] const TypeDescriptor &to)
{
#if defined(__x86_64__)
    if (std::isnan(value))
        return bits_of(to) != 32;
    if (is_signed(to))
        return value < (bits_of(to) > 32 ? 0x1p63 : 0x1p31);
    return bits_of(to) < 32 && value > -1 && value < 0x1p32;
#else
    return true;
#endif
}

}   // namespace emu

extern "C" void __ubsan_handle_shift_out_of_bounds(const emu::ShiftOutOfBounds *data, uintptr_t,
                                                   uintptr_t)
{
    std::string bits = std::to_string(emu::bits_of(*data->value));

    if (emu::is_device_code())
        emu::note((uintptr_t)__builtin_return_address(0),
                  "shift of " + bits + " bits by " + bits +
                      " or more, or by a negative number: a GPU shifts "
                      "all bits out, the CPU device shifts by the number modulo " +
                      bits);
}

extern "C" void __ubsan_handle_float_cast_overflow(const emu::FloatCastOverflow *data,
                                                   uintptr_t value)
{
    if (emu::is_device_code() &&
        !emu::is_converted_alike(emu::number(*data->from, value), *data->to))
        emu::note((uintptr_t)__builtin_return_address(0),
                  "conversion to " + emu::type_name(*data->to) +
                      " of a value that it cannot hold: a GPU "
                      "returns the nearest value (0 for NaN), the CPU device another one");
}
