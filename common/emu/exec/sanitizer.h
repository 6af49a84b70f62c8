// What the compiler passes to the handlers of -fsanitize=bounds and the like. The layout of these
// structs is the compiler's: GCC's libsanitizer/ubsan/ubsan_value.h and ubsan_handlers.h.
#ifndef EMU_SANITIZER_H
#define EMU_SANITIZER_H

#include <cstdint>
#include <string>

namespace emu {

struct SourceLocation {
    const char *file;
    uint32_t line, column;   // of a subscript: position of the closing bracket
};

struct TypeDescriptor {
    uint16_t kind;
    uint16_t info;   // integers: 2 * log2(bits), + 1 if signed; floating point: bits
    char name[];     // in quotes
};

struct OutOfBounds {
    SourceLocation where;
    const TypeDescriptor *array, *index;
};

struct ShiftOutOfBounds {
    SourceLocation where;
    const TypeDescriptor *value, *count;
};

struct MissingReturn {
    SourceLocation function;   // of its name in the declaration
};

struct FloatCastOverflow {
    SourceLocation where;
    const TypeDescriptor *from, *to;
};

// The text of a line; "" if its file is not found. `pc` is in the same file.
std::string line_at(const SourceLocation &, uintptr_t pc);

inline unsigned bits_of(const TypeDescriptor &integer) { return 1u << (integer.info >> 1); }
inline bool is_signed(const TypeDescriptor &integer) { return integer.info & 1; }

inline std::string type_name(const TypeDescriptor &type)
{
    std::string name = type.name;
    return name.substr(1, name.size() - 2);
}

// An integer that a handler is passed; "" for types of more than 64 bits.
inline std::string integer_text(const TypeDescriptor &type, uintptr_t value)
{
    unsigned unused = 64 - bits_of(type);   // bits

    if (unused >= 64)
        return "";
    return is_signed(type) ? std::to_string((int64_t)(value << unused) >> unused)
                           : std::to_string(value);
}

}   // namespace emu

#endif
