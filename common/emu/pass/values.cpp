// Accesses that g++ does not announce: arguments that a call copies from memory, and results that
// it stores there, when the value is a struct. They are found in the compiler's own list of
// statements (-fdump-tree-optimized-lineno-uid), in which an operand of a call is either a local
// variable, a constant, or memory.
#include "values.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <set>
#include <sstream>

#include "lex.h"

namespace {

bool starts(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

// A place "file:line:column", or "".
struct Place {
    std::string file;
    int line;

    explicit Place(const std::string &text)
        : file(text.substr(0, text.find(':'))), line(atoi(text.c_str() + text.find(':') + 1))
    {
    }
    std::string text() const { return file + ":" + std::to_string(line); }
    // Files whose code the CPU device or the course wrote.
    bool is_own() const
    {
        return file.empty() || file.find("/emu/include/") != file.npos ||
               file.find("/common/stage/") != file.npos;
    }
};

// The length of a location "[file:line:column] " at s; 0: none is there.
size_t location_at(const char *s)
{
    size_t n = s[0] == '[' ? strcspn(s, "]\n") : 0, colons = 0;

    for (size_t i = 0; i < n; i++)
        colons += s[i] == ':';
    return n && s[n] == ']' && colons >= 2 ? n + 1 + (s[n + 1] == ' ') : 0;
}

// Removes the locations of a statement. Returns the first one, or "".
std::string take_locations(std::string &line)
{
    std::string where, rest;

    for (const char *at = line.c_str(); *at;) {
        size_t n = location_at(at);

        if (n && where.empty())
            where.assign(at + 1, n - 2);
        if (!n)
            rest += *at;
        at += n ? n : 1;
    }
    line = rest;
    return where;
}

// A name with its number, as exampleD.123, or D.123: that of one variable alone.
size_t name_at(const char *s)
{
    size_t n = lex_word(s);

    if (n && s[n - 1] == 'D' && s[n] == '.')
        n += 1 + strspn(s + n + 1, "0123456789");
    return n;
}

// The digits at the end of a name.
std::string last_digits(const std::string &name)
{
    return name.substr(name.find_last_not_of("0123456789") + 1);
}

// A function in the list of statements.
struct Body {
    std::set<std::string> locals;      // the words of its declarations
    std::set<std::string> functions;   // the numbers of all functions in the list

    void add_words(const std::string &line);
    bool is_function(const std::string &name) const;
    bool is_memory(const char *at, const char *end) const;
    bool has_memory(const char *statement) const;
};

void Body::add_words(const std::string &line)
{
    for (const char *at = line.c_str(); *at;) {
        size_t n = lex_word(at);

        locals.insert(std::string(at, n));
        locals.insert(std::string(at, name_at(at)));
        at += n ? n : 1;
    }
}

// _12 and name_12(D) are in registers.
bool is_register(const std::string &name)
{
    size_t digits = last_digits(name).size();

    return digits && digits < name.size() && name[name.size() - 1 - digits] == '_';
}

// Whether an operand is the name of a function, with its number: nameD.123.
bool Body::is_function(const std::string &name) const
{
    std::string number = last_digits(name);
    size_t rest = name.size() - number.size();

    return rest > 2 && name.compare(rest - 2, 2, "D.") == 0 && functions.count(number);
}

// Whether an operand of a call, which ends at `end`, is memory other than the function's own
// variables.
bool Body::is_memory(const char *at, const char *end) const
{
    at += strspn(at, " ");
    if (*at == '*' || *at == '(' || starts(at, "MEM"))   // *p, (*p)[i]
        return !starts(at, "*<retval>");
    // a destructor or constructor, whose name follows; a submission may not use such names
    if (starts(at, "__dt_") || starts(at, "__ct_comp D.") || starts(at, "__ct_base D."))
        return false;
    if (!isalpha((unsigned char)*at) && *at != '_')
        return false;   // a constant, an address, a text, or <retval>
    if (std::string(at, end).find("->") != std::string::npos)
        return true;

    std::string name(at, name_at(at));
    return !is_register(name) && !locals.count(name) && !is_function(name);
}

// The "(" that opens the arguments of the call in a statement, or null: "x = name (a, b);".
const char *arguments_of(const char *statement)
{
    const char *at = statement, *equals = strstr(statement, " = "), *end = strstr(at, ");");
    int depth = 0;

    if (!end || starts(at, "if (") || starts(at, "switch ("))
        return nullptr;
    at = equals && equals < end ? equals + 3 : at;
    if (!isalpha((unsigned char)*at) && *at != '_')
        return nullptr;
    for (; at < end; at++) {
        if (depth == 0 && at[0] == ' ' && at[1] == '(')
            return at + 1;
        if (depth == 0 && at[0] == ' ' && !equals)
            return nullptr;
        depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
    }
    return nullptr;
}

// Checks a statement. Returns whether a call reads or stores memory directly.
bool Body::has_memory(const char *statement) const
{
    const char *open = arguments_of(statement), *equals = strstr(statement, " = ");
    int depth = 0;

    if (!open)
        return false;
    if (equals && equals < open && is_memory(statement, equals))
        return true;
    for (const char *at = open + 1, *from = at; *at && depth >= 0; at++) {
        if (depth == 0 && (*at == ',' || *at == ')')) {
            if (is_memory(from, at))
                return true;
            from = at + 1;
        }
        depth += strchr("([{", *at) ? 1 : strchr(")]}", *at) ? -1 : 0;
    }
    return false;
}

// Replaces what is between quotes by other characters: a text may look like a part of a statement.
void hide_texts(std::string &line)
{
    for (size_t at = 0; (at = line.find('"', at)) != line.npos;) {
        size_t n = lex_literal(line.c_str() + at), end = std::min(at + n, line.size());

        for (size_t i = at + 1; i + 1 < end; i++)
            line[i] = 'x';
        at = end;
    }
}

// The numbers of the functions in the list.
std::set<std::string> function_numbers(const std::string &list)
{
    static const char begin[] = "\n;; Function ", number[] = "decl_uid=";
    std::set<std::string> all;

    for (size_t at = 0; (at = list.find(begin, at)) != list.npos;) {
        at = list.find(number, at);
        if (at == list.npos)
            break;
        at += strlen(number);
        all.insert(list.substr(at, strspn(list.c_str() + at, "0123456789")));
    }
    return all;
}

// Calls each(place) for each statement in which values of calls are in memory, until it returns
// false.
void each_value(const std::string &list, const std::function<bool(const Place &)> &each)
{
    Body body = { {}, function_numbers(list) };
    std::istringstream lines(list);
    bool declares = false;

    for (std::string line; std::getline(lines, line);) {
        if (starts(line.c_str(), ";; Function")) {
            body.locals.clear();
            body.add_words(line);
            declares = true;
            continue;
        }
        hide_texts(line);
        Place where(take_locations(line));
        const char *statement = line.c_str() + strspn(line.c_str(), " ");

        declares = declares && line.find("<bb ") == line.npos;
        if (declares && !starts(statement, "static "))
            body.add_words(line);
        else if (!declares && !where.is_own() && body.has_memory(statement) && !each(where))
            return;
    }
}

// Whether a place is in the device code that the source pass names.
bool is_on_device(const Place &where, const std::string &pass)
{
    static const char mark[] = "\n// device code: ";
    int first, last, from;

    for (size_t at = 0; (at = pass.find(mark, at)) != pass.npos;) {
        at += strlen(mark);
        if (sscanf(pass.c_str() + at, "%d %d %n", &first, &last, &from) == 2 &&
            where.line >= first && where.line <= last &&
            pass.compare(at + from, where.file.size(), where.file) == 0)
            return true;
    }
    return false;
}

}   // namespace

void warn_of_values(const std::string &list, const std::string &pass)
{
    std::string last;

    each_value(list, [&](const Place &where) {
        if (where.text() != last && is_on_device(where, pass))
            fprintf(stderr,
                    "%s: warning: a struct in memory is passed or returned by value: the CPU "
                    "device neither checks nor counts these accesses; copy it to or from a local "
                    "variable first\n",
                    where.text().c_str());
        last = where.text();
        return true;
    });
}

void print_first_value(const std::string &list)
{
    each_value(list, [](const Place &where) {
        if (where.file.find(".cu") != where.file.npos)
            printf("line %d: a struct in memory is passed or returned by value, which cannot be "
                   "counted; copy it to or from a local variable\n",
                   where.line);
        else
            printf("a function with a struct as its parameter or result is passed to the C++ "
                   "library (%.40s), which cannot be counted; use references: const T &\n",
                   where.file.c_str() + where.file.rfind('/') + 1);
        return false;
    });
}
