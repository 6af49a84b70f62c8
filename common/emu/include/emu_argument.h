#ifndef EMU_ARGUMENT_H
#define EMU_ARGUMENT_H

#include <type_traits>

// The type of an argument, which may be another than that of the kernel's parameter. kind: 'i' and
// 'u' for integers with and without a sign, 'f' for floating point, else 0. A list ends with bytes
// 0.
struct emu_argument {
    unsigned bytes, align;
    char kind;
};
template <class T>
constexpr emu_argument emu_argument_of = { sizeof(T), alignof(T),
                                           std::is_floating_point<T>::value ? 'f'
                                           : !std::is_integral<T>::value    ? '\0'
                                           : std::is_signed<T>::value       ? 'i'
                                                                            : 'u' };

template <class... T> const emu_argument *emu_argument_types()
{
    static constexpr emu_argument types[] = { emu_argument_of<T>..., {} };
    return types;
}

#endif
