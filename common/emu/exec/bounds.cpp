// Out-of-bounds indices of arrays whose size the compiler knows, such as a thread's own arrays. The
// compiler calls this function before the access (-fsanitize=bounds; it replaces the one of the
// sanitizer's library). Arrays in shared memory are checked by address (shared.cpp).
#include <cctype>
#include <cstring>

#include "sanitizer.h"
#include "lanes/guard.h"
#include "order/shared.h"
#include "report/report.h"

namespace emu {

// As the source pass writes it: emu_subscript in include/cuda_runtime.h.
struct Subscript {
    const char *file;
    unsigned line, column;
    const char *array;
    bool is_row, is_flat;
};

extern "C" {
extern const Subscript __start_emu_subscripts[] __attribute__((weak));
extern const Subscript __stop_emu_subscripts[] __attribute__((weak));
}

// Null if the indexed expression does not end with a name.
static const Subscript *find_subscript(const SourceLocation &where)
{
    for (const Subscript *s = __start_emu_subscripts; s < __stop_emu_subscripts; s++)
        if (s->line == where.line && s->column == where.column && !strcmp(s->file, where.file))
            return s;
    return nullptr;
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static bool is_shared(const Worker &w, const std::string &name)
{
    for (const SharedVariable &v : w.shared.variables)
        if (v.name == name)
            return true;
    return false;
}

// Does the line contain the name of a variable that is checked by address?
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

// The file name may be relative to the directory in which the compiler ran; the debugging
// information has the directory.
std::string line_at(const SourceLocation &where, uintptr_t pc)
{
    std::string file = where.file, kernel = places({ pc })[0].file;

    if (file[0] != '/')
        file = kernel.substr(0, kernel.rfind('/') + 1) + file.substr(file.rfind('/') + 1);
    std::string line = source_line({ file, (int)where.line }, false);
    return line.empty() ? source_line({ where.file, (int)where.line }, false) : line;
}

// Accesses to shared arrays of one dimension are checked by address. So are those of array[0][i] in
// shared memory and device variables: programs index all rows in this way.
static bool is_checked_later(const Worker &w, const Subscript *s, const SourceLocation &where,
                             uintptr_t pc)
{
    if (s)
        return (is_shared(w, s->array) && (!s->is_row || s->is_flat)) ||
               (s->is_flat && is_variable(s->array));
    std::string line = line_at(where, pc);
    return line.empty() || names_another(w, line);   // without a source line, the array is unknown
}

}   // namespace emu

extern "C" void __ubsan_handle_out_of_bounds(const emu::OutOfBounds *data, uintptr_t index)
{
    emu::Worker *w = emu::worker;
    uintptr_t pc = (uintptr_t)__builtin_return_address(0);

    if (!w || !w->current) {   // host code
        if (emu::guard_access)
            emu::guard_access(UINTPTR_MAX, 1, true, pc, 0);
        return;
    }
    const emu::Subscript *subscript = emu::find_subscript(data->where);
    std::string type = emu::type_name(*data->array);
    if (emu::is_checked_later(*w, subscript, data->where, pc))
        return;
    std::string what = "out of bounds: index " + emu::integer_text(*data->index, index) + " of " +
                       (!subscript          ? "an array"
                        : subscript->is_row ? std::string("a row of ") + subscript->array
                                            : subscript->array) +
                       ", which is " + (strchr("aeiou", type[0]) ? "an " : "a ") + type;
    if (subscript && emu::is_shared(*w, subscript->array))   // its address is checked next
        emu::report_and_go_on(*w, { what, pc, "", 0, where(*w, *w->current) });
    else
        emu::fail(*w, what, pc);
}
