// A value as the 64 bits that hold it, and back.
#ifndef EMU_BITS_H
#define EMU_BITS_H

#include <cstdint>
#include <cstring>

namespace emu {

template <class T> inline T as(uint64_t bits)
{
    T value;

    memcpy(&value, &bits, sizeof value);
    return value;
}
template <class T> inline uint64_t bits_of(T value)
{
    uint64_t bits = 0;

    memcpy(&bits, &value, sizeof value);
    return bits;
}

}   // namespace emu

#endif
