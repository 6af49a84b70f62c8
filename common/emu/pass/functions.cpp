#include "functions.h"

#include <unistd.h>

#include <algorithm>
#include <string>

#include "facts.h"

namespace {

struct Finder {
    const Source &s;
    Functions found;
    std::map<size_t, bool> runtime_files;   // is this file part of the CPU device?

    explicit Finder(const Source &source) : s(source) {}

    bool is_of_runtime(size_t i);
    size_t namespace_body(size_t i);
    bool read_function(size_t first, size_t start);
    void note_others(size_t from, size_t to);
    size_t declaration(size_t i);
    void run();
};

// Does token i stand in a header of the CPU device?
bool Finder::is_of_runtime(size_t i)
{
    size_t file = s.tokens[i].file;
    auto known = runtime_files.find(file);

    if (known != runtime_files.end())
        return known->second;
    size_t slash = s.files[file].rfind('/');
    std::string folder = slash == std::string::npos ? "." : s.files[file].substr(0, slash);
    bool is_ours = false;
    for (const char *header : { "/emu_intrinsics.h", "/../emu_intrinsics.h", "/include/emu_ptx.h" })
        is_ours |= access((folder + header).c_str(), F_OK) == 0;
    return runtime_files[file] = is_ours;
}

// The { of the namespace or of the extern "C" at i; 0: neither is there. The name of an inline
// namespace is not recorded, because code need not name it.
size_t Finder::namespace_body(size_t i)
{
    bool is_inline = is(s, i, "inline");

    if (is(s, i, "extern") && s.tokens[i + 1].kind == Token::string && is(s, i + 2, "{"))
        return i + 2;
    i += is_inline;
    if (!is(s, i, "namespace"))
        return 0;
    for (i++; is_word(s, i) || is_any(s, i, { "::", "[" }); i++) {
        if (is(s, i, "["))
            i = s.tokens[i].partner;
        else if (is_word(s, i) && !is_inline)
            found.namespaces.insert(s.tokens[i].text);
    }
    return is(s, i, "{") ? i : 0;
}

// Do these tokens, before a name and a parenthesis, begin the declaration of a function?
bool declare_function(const Source &s, size_t start, size_t name)
{
    if (name <= start ||
        is_any(s, name,
               { "void", "bool", "char", "short", "int", "long", "float", "double", "signed",
                 "unsigned", "auto", "requires", "asm", "static_assert" }) ||
        is_any(s, name - 1, { "struct", "class", "enum", "union", "typename" }))
        return false;
    if (!is_word(s, name - 1) && !is_any(s, name - 1, { "*", "&", ">", "]", ")", "::" }) &&
        !is(s, name - 1, "&&"))
        return false;
    for (size_t k = start; k < name; k++)
        if (is_any(s, k,
                   { "typedef", "using", "friend", "=", "__shared__", "__constant__", "__managed__",
                     "namespace", "template" }))
            return false;
    return true;
}

// Records the function that the declaration at `first` declares; its template header ends before
// `start`. False: it declares none.
bool Finder::read_function(size_t first, size_t start)
{
    size_t name = function_name(s, start), open = name;

    if (!name || !declare_function(s, start, name))
        return false;
    while (!is(s, open, "("))
        open++;
    // `Functor f(3);` is a variable, and `int f(int), g(int);` declares more than one name.
    Token::Kind argument = s.tokens[open + 1].kind;
    if (argument == Token::number || argument == Token::string ||
        is(s, s.tokens[open].partner + 1, ","))
        return false;
    if (is_of_runtime(name)) {
        found.ambiguous.insert(s.tokens[name].text);
        return true;
    }
    Function f = {};
    f.first = first;
    f.start = start;
    f.name = name;
    f.body = body_of(s, name);
    f.side = side_of(s, start, name);
    f.is_template = start > first;
    f.is_specialization = open > name + 1;
    f.is_qualified = is(s, name - 1, "::");
    size_t around = s.tokens[first].parent;
    f.is_local = around > 0 && is(s, around - 1, "namespace");
    if (around > 0 && found.namespaces.count(s.tokens[around - 1].text))
        f.space = s.tokens[around - 1].text;
    for (size_t k = start; k < name; k++) {
        f.is_constexpr |= is_any(s, k, { "constexpr", "consteval" });
        f.is_local |= is_any(s, k, { "static", "inline", "__inline__", "__forceinline__" });
        // __attribute__((device)), which is how CUDA's headers define __device__
        if (is_any(s, k, { "device", "global" }) && is(s, s.tokens[k].parent, "("))
            found.ambiguous.insert(s.tokens[name].text);
    }
    if (!f.is_qualified)
        found.named[s.tokens[name].text].push_back(found.all.size());
    found.all.push_back(f);
    return true;
}

// The names that a declaration of something else may declare: all words outside initializers.
void Finder::note_others(size_t from, size_t to)
{
    if (is(s, from, "using") && !is(s, from + 2, "="))
        return;
    for (size_t k = from; k < to && !is(s, k, "{"); k++) {
        if (is(s, k, "="))
            while (k + 1 < to && !is_any(s, k + 1, { ",", ";" }))
                k = std::max(k + 1, s.tokens[k + 1].partner);
        else if (is_word(s, k))
            found.ambiguous.insert(s.tokens[k].text);
    }
}

// Reads the declaration at i. Returns the position after it, or after the { of a namespace.
size_t Finder::declaration(size_t i)
{
    size_t open = namespace_body(i), start = i, end;

    if (open)
        return open + 1;
    while (is(s, start, "template") && is(s, start + 1, "<")) {
        size_t close = angle_close(s, start + 1);
        if (!close)
            break;
        start = close + 1;
    }
    for (end = start; is_word(s, end) || !is_any(s, end, { ";", "{", "}" });
         end = std::max(end, s.tokens[end].partner) + 1)
        if (s.tokens[end].kind == Token::foreign || s.tokens[end].kind == Token::end)
            break;
    // An explicit instantiation, `template void f<int>(int *)`, declares nothing.
    if (!is(s, start, "template") && !read_function(i, start))
        note_others(start, end);
    return std::max(end, is(s, end, "{") ? s.tokens[end].partner : 0) + 1;
}

void Finder::run()
{
    size_t n = s.tokens.size() - 1;

    for (size_t i = 1; i < n;)
        i = s.tokens[i].kind == Token::foreign ? i + 1 : declaration(i);
    for (size_t i = 1; i < n; i++)
        if (is(s, i, "friend") && function_name(s, i))
            found.ambiguous.insert(s.tokens[function_name(s, i)].text);
}

}   // namespace

size_t angle_close(const Source &s, size_t i)
{
    int depth = 0;

    for (; is_word(s, i) || !is_any(s, i, { ";", ")", "]", "}", "" }); i++) {
        depth += is(s, i, "<") - is(s, i, ">");
        if (depth == 0)
            return i;
        i = std::max(i, s.tokens[i].partner);
    }
    return 0;
}

Side side_of(const Source &s, size_t start, size_t name)
{
    bool is_host = false, is_device = false;

    for (size_t k = start; k < name; k++) {
        if (is(s, k, "__global__"))
            return kernel_side;
        is_host |= is(s, k, "__host__");
        is_device |= is(s, k, "__device__");
    }
    return !is_device ? host_side : is_host ? both_sides : device_side;
}

bool is_in_namespace(const Source &s, size_t i, std::string_view name)
{
    for (size_t open = s.tokens[i].parent; open; open = s.tokens[open].parent)
        if (is(s, open - 1, name))
            return true;
    return false;
}

Functions find_functions(const Source &s)
{
    Finder finder(s);

    finder.run();
    return std::move(finder.found);
}
