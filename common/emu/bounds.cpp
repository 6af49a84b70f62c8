// Indices out of bounds of an array whose size the compiler knows, such as a thread's own array: it
// calls in before the access (-fsanitize=bounds, with this function in place of the sanitizer's).
// Arrays in shared memory are checked by their addresses (shared.cpp).
#include <cctype>
#include <cstring>

#include "internal.h"

namespace emu {

// As the compiler lays them out; see GCC's libsanitizer/ubsan/ubsan_value.h.
struct SourceLocation {
    const char *file;
    uint32_t line, column;   // of the bracket that closes the index
};

struct TypeDescriptor {
    uint16_t kind;
    uint16_t info;   // of an integer: 2 * log2 of its bits, + 1 if it is signed
    char name[];     // between quotes
};

struct OutOfBounds {
    SourceLocation where;
    const TypeDescriptor *array, *index;
};

// The position before the bracket that the one at `i` closes; npos if there is none.
static size_t before_bracket(const std::string &text, size_t i)
{
    for (int depth = 0; i != std::string::npos; i--) {
        depth += (text[i] == ']') - (text[i] == '[');
        if (depth == 0)
            return i - 1;
    }
    return i;
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

// The name of the array that is indexed at that column of the line: "" if it is not there, as in a
// macro. is_row: it is an array of arrays.
static std::string array_name(const std::string &line, uint32_t column, bool *is_row)
{
    size_t i = column - 1, end;

    *is_row = false;
    if (column == 0 || i >= line.size() || line[i] != ']')
        return "";
    i = before_bracket(line, i);
    while (i < line.size() && line[i] == ']') {
        *is_row = true;
        i = before_bracket(line, i);
    }
    for (end = i + 1; i < line.size() && is_word(line[i]);)
        i--;
    return i + 1 < end ? line.substr(i + 1, end - i - 1) : "";
}

static bool is_shared(const Worker &w, const std::string &name)
{
    for (const SharedVariable &v : w.shared.variables)
        if (v.name == name)
            return true;
    return false;
}

// Does the line name a variable that is checked by its address?
static bool names_another(const Worker &w, const std::string &line)
{
    for (size_t i = 0, end; i < line.size(); i = end + 1) {
        for (end = i; end < line.size() && is_word(line[end]);)
            end++;
        std::string word = line.substr(i, end - i);
        if (!word.empty() && (is_shared(w, word) || is_variable(word)))
            return true;
    }
    return false;
}

// Accesses to shared memory are checked by their addresses, and so is the end of a variable of the
// device of which one row is left for another.
static bool is_checked_later(const Worker &w, const std::string &line, const std::string &name,
                             bool is_row)
{
    return name.empty() ? names_another(w, line)
                        : is_shared(w, name) || (is_row && is_variable(name));
}

// The compiler may know the file by a name relative to where it ran; the debugging information has
// the folder.
static std::string line_at(const SourceLocation &where, uintptr_t pc)
{
    std::string file = where.file, kernel = places({ pc })[0].file;

    if (file[0] != '/')
        file = kernel.substr(0, kernel.rfind('/') + 1) + file.substr(file.rfind('/') + 1);
    std::string line = source_line({ file, (int)where.line }, false);
    return line.empty() ? source_line({ where.file, (int)where.line }, false) : line;
}

static std::string index_text(const TypeDescriptor &type, uintptr_t index)
{
    unsigned unused = 64 - (1u << (type.info >> 1));   // bits

    if (unused >= 64)
        return "";
    return type.info & 1 ? std::to_string((int64_t)(index << unused) >> unused)
                         : std::to_string(index);
}

}   // namespace emu

extern "C" void __ubsan_handle_out_of_bounds(const emu::OutOfBounds *data, uintptr_t index)
{
    emu::Worker *w = emu::worker;
    uintptr_t pc = (uintptr_t)__builtin_return_address(0);
    bool is_row;

    if (!w || !w->current)
        return;   // host code
    std::string line = emu::line_at(data->where, pc),
                name = emu::array_name(line, data->where.column, &is_row), type = data->array->name;
    if (line.empty() || emu::is_checked_later(*w, line, name, is_row))
        return;   // without the source, no telling what array it is
    type = type.substr(1, type.size() - 2);
    emu::report_and_stop(*w, { "out of bounds: index " + emu::index_text(*data->index, index) +
                                   " of " + (name.empty() ? "an array" : name) + ", which is " +
                                   (strchr("aeiou", type[0]) ? "an " : "a ") + type,
                               pc, "", 0, emu::where(*w, *w->current) });
    emu::park(*w, emu::State::barrier);
}
