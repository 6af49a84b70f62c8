// Conversions of the 16-bit floating-point types (include/emu_half.h).
#include <cmath>
#include <cstdint>
#include <cstring>

static unsigned bits_of(float value)
{
    unsigned bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float float_of(unsigned bits)
{
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

// `width` is the number of bits of the exponent.
template <int width> static unsigned short to_16(float value)
{
    constexpr int FRACTION = 15 - width, SHIFT = 23 - FRACTION, BIAS = (1 << (width - 1)) - 1;
    unsigned bits = bits_of(value), sign = bits >> 16 & 0x8000, magnitude = bits << 1 >> 1;
    constexpr unsigned INFINITE = ((1u << width) - 1) << FRACTION;

    if (magnitude > 0x7f800000)
        return 0x7fff;   // NaN
    int exponent = (int)(magnitude >> 23) - 127 + BIAS;
    if (width < 8 && exponent >= (1 << width) - 1)
        return (unsigned short)(sign | INFINITE);
    unsigned fraction = magnitude, shift = SHIFT;
    if (width < 8 && exponent <= 0) {   // subnormal
        if (exponent < -FRACTION - 1)
            return (unsigned short)sign;
        fraction = (magnitude & 0x7fffff) | 0x800000;
        shift += (unsigned)(1 - exponent);
    } else {
        fraction -= (unsigned)(127 - BIAS) << 23;
    }
    unsigned kept = fraction >> shift, rest = fraction - (kept << shift), half = 1u << (shift - 1);
    kept += rest > half || (rest == half && (kept & 1));
    return (unsigned short)(sign | kept);
}

template <int width> static float from_16(unsigned short bits)
{
    constexpr int FRACTION = 15 - width, BIAS = (1 << (width - 1)) - 1;
    unsigned sign = (unsigned)(bits & 0x8000) << 16, exponent = (bits & 0x7fff) >> FRACTION,
             fraction = bits & ((1u << FRACTION) - 1);

    if (exponent == (1u << width) - 1)
        return float_of(sign | 0x7f800000 | fraction << (23 - FRACTION));
    if (exponent == 0) {
        float value = ldexpf((float)fraction, 1 - BIAS - FRACTION);
        return sign ? -value : value;
    }
    return float_of(sign | (exponent + 127 - (unsigned)BIAS) << 23 | fraction << (23 - FRACTION));
}

extern "C" {

unsigned short emu_to_16_bits(float value, int exponent)
{
    return exponent == 8 ? to_16<8>(value) : to_16<5>(value);
}

float emu_from_16_bits(unsigned short bits, int exponent)
{
    return exponent == 8 ? from_16<8>(bits) : from_16<5>(bits);
}
}
