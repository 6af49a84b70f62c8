#include "facts.h"

#include <algorithm>

#include "lex.h"

bool is(const Source &s, size_t i, std::string_view text) { return s.tokens[i].text == text; }

bool is_any(const Source &s, size_t i, std::initializer_list<std::string_view> list)
{
    std::string_view text = s.tokens[i].text;

    for (std::string_view other : list)
        if (other.size() == text.size() && other == text)
            return true;
    return false;
}

bool is_word(const Source &s, size_t i) { return s.tokens[i].kind == Token::word; }

bool is_attribute(const Source &s, size_t i)
{
    return is_any(s, i,
                  { "alignas", "__align__", "__attribute__", "__launch_bounds__", "decltype",
                    "__cluster_dims__", "noexcept", "__declspec" });
}

bool is_keyword(const Source &s, size_t i)
{
    return is_any(s, i, { "return",    "else",     "case",     "throw",    "new",    "delete",
                          "goto",      "sizeof",   "do",       "if",       "while",  "for",
                          "switch",    "and",      "or",       "not",      "using",  "namespace",
                          "co_return", "co_yield", "operator", "typename", "typedef" });
}

bool is_basic_type(const Source &s, size_t i)
{
    return is_any(s, i,
                  { "bool", "char", "short", "int", "long", "float", "double", "signed", "unsigned",
                    "auto" });
}

// The token that opens the template arguments which the > at i closes; 0 if there is none.
static size_t angle_open(const Source &s, size_t i)
{
    int depth = 0;

    for (; i > 0; i--) {
        const Token &t = s.tokens[i];

        if (t.kind == Token::mark && t.partner && t.partner < i)
            i = t.partner;
        else if (t.partner || is(s, i, ";"))
            return 0;
        else if (is(s, i, ">"))
            depth++;
        else if (is(s, i, "<") && --depth == 0)
            return i;
    }
    return 0;
}

size_t before_angles(const Source &s, size_t i)
{
    size_t open = is(s, i, ">") ? angle_open(s, i) : 0;
    return open ? open - 1 : i;
}

size_t statement_start(const Source &s, size_t i)
{
    for (; i > 1; i--) {
        const Token &before = s.tokens[i - 1];

        if (before.kind == Token::foreign || is_any(s, i - 1, { ";", "{", "}", ":", "(", "[" }))
            return i;
        if (is(s, i - 1, ")")) {
            if (!is_attribute(s, before.partner - 1))
                return i;
            i = before.partner;
        }
        if (is(s, i - 1, "]"))
            i = before.partner + 1;
        else if (is(s, i - 1, ">") && angle_open(s, i - 1))
            i = angle_open(s, i - 1) + 1;
    }
    return i;
}

// ---- functions and variables ----

// The first token from i on, outside attributes and array bounds, that decides what is declared:
// one of ; = { ( } or the word `operator`.
static size_t decider(const Source &s, size_t i)
{
    for (; s.tokens[i].kind != Token::end; i++) {
        if (is_attribute(s, i) && is(s, i + 1, "("))
            i = s.tokens[i + 1].partner;
        else if (is_any(s, i, { ";", "=", "{", "(", "operator", "}" }))
            break;
        else if (is(s, i, "["))
            i = s.tokens[i].partner;
    }
    return i;
}

static bool is_constant(const Source &s, size_t i, size_t end)
{
    bool is_const = false, is_pointer = false;

    for (size_t k = statement_start(s, i); k < end; k++) {
        if (is(s, k, "constexpr"))
            return true;
        is_const |= is(s, k, "const");
        is_pointer |= is(s, k, "*");
    }
    return is_const && !is_pointer;
}

Space space_of(const Source &s, size_t i)
{
    size_t end = decider(s, i);

    if (is(s, i - 1, "]"))
        return Space::none;
    if (is(s, end, "operator") || (is(s, end, "(") && !is(s, end + 1, "*")))
        return is(s, i, "__device__") ? Space::function : Space::none;
    if (end == i + 1 || is_constant(s, i, end))
        return Space::none;
    if (is(s, i, "__device__"))   // __constant__ or __managed__ takes precedence
        for (size_t k = statement_start(s, i); k < end; k++)
            if (is(s, k, "__constant__") || is(s, k, "__managed__"))
                return Space::none;
    return is(s, i, "__device__")   ? Space::device
         : is(s, i, "__constant__") ? Space::constant
                                    : Space::managed;
}

size_t function_name(const Source &s, size_t i)
{
    size_t open = decider(s, i);

    if (!is(s, open, "("))
        return 0;
    size_t name = before_angles(s, open - 1);
    return is_word(s, name) ? name : 0;
}

size_t body_of(const Source &s, size_t name)
{
    size_t i = name + 1;

    while (!is(s, i, "("))
        i++;
    for (i = s.tokens[i].partner; !is_any(s, i, { ";", "{", "}" }); i++)
        if (s.tokens[i].kind == Token::end)
            return 0;
    return is(s, i, "{") ? i : 0;
}

// ---- launches ----

struct Kernel {
    std::string parameters;
    size_t template_parameters;
    bool ambiguous;   // overloaded, also by a host function, or with default arguments
};
using Kernels = std::map<std::string_view, Kernel>;

// Number of template parameters or arguments after the < at i; 0 if there is no <.
static size_t template_arguments(const Source &s, size_t i)
{
    size_t count = is(s, i, "<");
    int depth = count != 0;

    while (depth > 0 && s.tokens[++i].kind != Token::end) {
        depth += is(s, i, "<") - is(s, i, ">");
        count += depth == 1 && is(s, i, ",");
        i = std::max(i, s.tokens[i].partner);
    }
    return count;
}

static void note_kernel(const Source &s, size_t i, Kernels &kernels)
{
    size_t name = function_name(s, i);

    if (!name)
        return;
    size_t open = name + 1;
    std::string text;
    while (!is(s, open, "("))
        open++;
    for (size_t k = open; k < s.tokens[open].partner; k++)
        text += std::string(s.tokens[k].text) + " ";
    std::string_view key = s.tokens[name].text;
    auto known = kernels.find(key);
    bool is_overloaded = known != kernels.end() && known->second.parameters != text;
    size_t start = statement_start(s, i);

    kernels[key] = { text, is(s, start, "template") ? template_arguments(s, start + 1) : 0,
                     is_overloaded || text.find('=') != std::string::npos ||
                         (known != kernels.end() && known->second.ambiguous) };
}

// Is the word at i the name of a host function that is declared here?
static bool is_host_function(const Source &s, size_t i)
{
    if (!is(s, i + 1, "(") || !is_at_file_scope(s, i) || is_keyword(s, i - 1) ||
        !(is_word(s, i - 1) || is_any(s, i - 1, { "*", "&", ">" })))
        return false;
    for (size_t k = statement_start(s, i); k < i; k++)
        if (is(s, k, "__global__"))
            return false;
    return true;
}

// Records the launch bounds of the kernel whose __launch_bounds__ is at i.
static void note_bounds(const Source &s, size_t i, Facts &facts)
{
    size_t name = function_name(s, statement_start(s, i)), body = name ? body_of(s, name) : 0,
           end = i + 2;

    while (end < s.tokens[i + 1].partner && !is(s, end, ","))
        end = std::max(end + 1, s.tokens[end].partner);
    if (body)
        facts.bounds[body] = { i + 2, end };
}

// Records the clusters of the kernel whose __cluster_dims__ is at i.
static void note_clusters(const Source &s, size_t i, Facts &facts)
{
    size_t name = function_name(s, statement_start(s, i)), body = name ? body_of(s, name) : 0;

    if (body)
        facts.clusters[body] = { i + 2, s.tokens[i + 1].partner };
}

// The first token of the kernel expression before the <<< at i: a name with template arguments, or
// an expression like p->kernels[3].
static size_t kernel_start(const Source &s, size_t i)
{
    size_t k = i - 1;

    for (;;) {
        k = before_angles(s, k);
        while (is(s, k, ")") || is(s, k, "]")) {
            size_t open = s.tokens[k].partner;
            if (is_any(s, open - 1, { "if", "while", "for", "switch" }))
                break;
            k = open - 1;
        }
        if (is_word(s, k) && !is_keyword(s, k))
            k--;
        if (!is_any(s, k, { "::", "->", "." }))
            break;
        k--;
        if (!is_word(s, k) && !is_any(s, k, { ">", ")", "]" }))
            break;
    }
    if (k + 1 == i)
        refuse(s, i, "no kernel name before <<<");
    return k + 1;
}

// The first > of the >>> that ends the configuration after the <<< at i. It ends a sequence of >,
// of which the first may close template arguments.
static size_t config_end(const Source &s, size_t i)
{
    for (size_t k = i + 1; s.tokens[k].kind != Token::end && !is(s, k, ";"); k++) {
        if (is(s, k, ">") && is(s, k + 1, ">") && is(s, k + 2, ">") && !is(s, k + 3, ">"))
            return k;
        if (s.tokens[k].partner > k)
            k = s.tokens[k].partner;
    }
    refuse(s, i, "a launch has <<< and >>>: there is no >>> in this statement");
}

// k<<g, b>>(a), a launch with too few marks: g++ would read shifts. A local variable may have the
// name of a kernel.
static void refuse_shift(const Source &s, size_t i, const Kernels &kernels)
{
    if (!kernels.count(s.tokens[i].text) || !is(s, i + 1, "<") || !is(s, i + 2, "<") ||
        !s.tokens[i + 2].blank.empty())
        return;
    for (size_t k = i + 3; !is_any(s, k, { ";", "}", "" });
         k = std::max(k, s.tokens[k].partner) + 1)
        if (is(s, k, ">") && is(s, k + 1, ">") &&
            (is(s, k + 2, "(") || (is(s, k + 2, ">") && is(s, k + 3, "("))))
            refuse(s, i,
                   "a launch has <<< and >>>: " + std::string(s.tokens[i].text) +
                       "<<<blocks, threads>>>(...)");
}

// g++'s NULL (__null) would be deduced as an integer; an argument that is NULL becomes nullptr.
static void note_nulls(const Source &s, size_t open, Facts &facts)
{
    if (!is(s, open, "("))
        return;
    for (size_t k = open + 1; k < s.tokens[open].partner; k++)
        if (is(s, k, "__null") && is_any(s, k - 1, { "(", "," }) && is_any(s, k + 1, { ")", "," }))
            facts.null_arguments.insert(k);
}

static void note_launch(const Source &s, size_t i, const Kernels &kernels, Facts &facts)
{
    size_t start = kernel_start(s, i), close = config_end(s, i), name = start;

    if (!is(s, close + 3, "("))
        refuse(s, close, "the arguments of the launch are missing: write (...) after >>>, or ()");

    // the last component of the kernel's name
    for (size_t k = start; k < i && !is(s, k, "<"); k++)
        if (is_word(s, k))
            name = k;
    auto kernel = kernels.find(s.tokens[name].text);
    bool ambiguous = kernel != kernels.end() &&
                     (kernel->second.ambiguous ||
                      kernel->second.template_parameters != template_arguments(s, name + 1));
    facts.launches[start] = { i, close, ambiguous };
    if (ambiguous)
        note_nulls(s, close + 3, facts);
}

// ---- shared memory ----

bool is_at_file_scope(const Source &s, size_t i)
{
    for (size_t open = s.tokens[i].parent; open; open = s.tokens[open].parent) {
        size_t k = open - 1;

        while ((is_word(s, k) || is(s, k, "::")) && !is(s, k, "namespace"))
            k--;
        if (!is(s, open, "{") ||
            !(is(s, k, "namespace") || is(s, k, "\"C\"") || is(s, k, "\"C++\"")))
            return false;
    }
    return true;
}

bool is_in_class(const Source &s, size_t i)
{
    size_t open = s.tokens[i].parent, k = statement_start(s, open);

    if (!is(s, open, "{"))
        return false;
    while (is(s, k - 1, ":"))   // its bases
        k = statement_start(s, k - 1);
    for (; k < open && !is(s, k, "("); k++)   // behind a template header and attributes
        if (is_any(s, k, { "struct", "class", "union" }))
            if (!is_any(s, k - 1, { "<", ",", "enum" }))
                return true;
    return false;
}

static void note_shared(const Source &s, size_t i, Facts &facts)
{
    size_t start = statement_start(s, i), end = i;

    while (s.tokens[end].kind != Token::end && !is(s, end, ";"))
        end = std::max(end, s.tokens[end].partner) + 1;
    if (s.tokens[end].kind == Token::end)
        fail(s, i, "__shared__ without a declaration");
    for (size_t k = i + 1; k + 1 < end; k++)   // a name, and on the next line another declaration
        if (is_word(s, k + 1) && s.tokens[k + 1].line > s.tokens[k].line &&
            (is(s, k, "]") || (k > i + 1 && is_word(s, k) && is_basic_type(s, k + 1))))
            refuse(s, k, "expected ';' after this __shared__ declaration");
    facts.shared[start] = end;
    if (is_at_file_scope(s, i))
        for (size_t k = i; k < end; k++) {
            if (is_word(s, k) && is_any(s, k + 1, { "[", ",", ";" }))
                facts.file_shared.insert(s.tokens[k].text);
            if (s.tokens[k].partner > k)
                k = s.tokens[k].partner;
        }
}

// ---- local names ----

static bool is_index_name(const Source &s, size_t i)
{
    return is_any(s, i, { "threadIdx", "blockIdx", "blockDim", "gridDim" });
}

// Is the name at i, after * or & or >, preceded by the type of a declaration, not by an operand?
static bool follows_its_type(const Source &s, size_t i)
{
    size_t k = i - 1;

    while (is_any(s, k, { "*", "&", "&&", "const" }))
        k--;
    k = before_angles(s, k);
    if (!is_word(s, k) || is_keyword(s, k))
        return false;
    while ((is_word(s, k) && !is_keyword(s, k)) || is(s, k, "::"))
        k--;
    size_t parent = s.tokens[i].parent;
    return is_any(s, k, { ";", "{", "}" }) ||
           (is_any(s, k, { "(", "," }) && is(s, parent, "(") && is_at_file_scope(s, parent));
}

static bool declares(const Source &s, size_t i)
{
    if (is_any(s, i - 1, { ".", "->", "::" }))
        return false;
    if (is_word(s, i - 1))
        return !is_keyword(s, i - 1);
    if (is_any(s, i - 1, { "*", "&", "&&", ">" }))
        return follows_its_type(s, i);
    return is(s, i - 1, ",") && is_index_name(s, i) && is_any(s, i + 1, { "(", "{", "=", ";" });
}

// The end of the scope of a name declared at i.
static size_t scope_end(const Source &s, size_t i)
{
    size_t parent = s.tokens[i].parent;

    if (!is(s, parent, "("))
        return parent ? s.tokens[parent].partner : s.tokens.size();
    // a parameter, or a variable of `for`: to the end of the body that follows
    for (size_t k = s.tokens[parent].partner; k < s.tokens.size(); k++) {
        if (is(s, k, "{"))
            return s.tokens[k].partner;
        if (is(s, k, ";"))
            return k;
    }
    return s.tokens.size();
}

bool is_builtin_name(const Source &s, const Facts &facts, size_t i)
{
    std::string_view name = s.tokens[i].text;

    if ((!is_index_name(s, i) && !facts.file_shared.count(name)) || is_any(s, i - 1, { ".", "->" }))
        return false;
    if (is(s, i - 1, "::") && is_word(s, i - 2))
        return !is_index_name(s, i);
    for (const Shadow &shadow : facts.shadows)
        if (shadow.name == name && shadow.from <= i && i < shadow.to)
            return false;
    return true;
}

bool is_of_device(const Source &s, size_t i)
{
    return s.files[s.tokens[i].file].find("/emu/include/") != std::string::npos;
}

bool is_builtin_call(const Source &s, size_t i)
{
    return is(s, i + 1, "(") && is(s, i + 2, ")") && !is_any(s, i - 1, { ".", "->", "::" }) &&
           (!is_word(s, i - 1) || is_keyword(s, i - 1));
}

// A call of a function of the C library: also as std::memcpy(...). Not in the headers of the CPU
// device, which use memcpy() to convert values.
bool is_library_call(const Source &s, size_t i)
{
    if (!is(s, i + 1, "(") || is_any(s, i - 1, { ".", "->" }) || is_of_device(s, i))
        return false;
    if (is(s, i - 1, "::"))
        return !is_word(s, i - 2) || is(s, i - 2, "std");
    return !is_word(s, i - 1) || is_keyword(s, i - 1);
}

// ---- recursion ----

static bool is_in_foreign_text(const Source &s, std::string_view name)
{
    for (const Token &t : s.tokens)
        if (t.kind == Token::foreign)
            for (size_t at = t.text.find(name); at != t.text.npos; at = t.text.find(name, at + 1)) {
                auto joins = [&](size_t k) { return k < t.text.size() && lex_in_word(t.text[k]); };
                if (!joins(at - 1) && !joins(at + name.size()))
                    return true;
            }
    return false;
}

using Calls = std::map<std::string_view, std::set<std::string_view>>;

static bool reaches(const Calls &calls, std::string_view from, std::string_view to,
                    std::set<std::string_view> &seen)
{
    auto found = calls.find(from);

    if (found == calls.end())
        return false;
    for (std::string_view called : found->second)
        if (called == to || (seen.insert(called).second && reaches(calls, called, to, seen)))
            return true;
    return false;
}

// By name only. Overloaded functions and calls with template arguments are not considered, because
// the called function is not known.
static void find_recursion(const Source &s, const std::vector<size_t> &functions, Facts &facts)
{
    std::map<std::string_view, int> bodies;
    Calls calls;

    for (size_t name : functions)
        bodies[s.tokens[name].text] += body_of(s, name) != 0;
    for (const auto &function : bodies)
        if (function.second == 0)
            facts.outside.insert(function.first);
    for (size_t name : functions) {
        size_t body = body_of(s, name);

        if (bodies[s.tokens[name].text] != 1 || !body)
            continue;
        for (size_t k = body; k < s.tokens[body].partner; k++)
            if (is_word(s, k) && is(s, k + 1, "(") && !is_any(s, k - 1, { ".", "->" }) &&
                bodies.count(s.tokens[k].text))
                calls[s.tokens[name].text].insert(s.tokens[k].text);
    }
    for (const auto &caller : calls) {
        std::set<std::string_view> seen;
        if (reaches(calls, caller.first, caller.first, seen) &&
            !is_in_foreign_text(s, caller.first))
            facts.recursive.insert(caller.first);
    }
}

Facts find_facts(const Source &s)
{
    Facts facts;
    Kernels kernels;
    std::vector<size_t> functions;
    size_t n = s.tokens.size();

    for (size_t i = 1; i < n; i++) {
        if (is(s, i, "__global__"))
            note_kernel(s, i, kernels);
        else if (is(s, i, "__shared__") && !facts.shared.count(statement_start(s, i)))
            note_shared(s, i, facts);
        else if (is(s, i, "__launch_bounds__") && is(s, i + 1, "("))
            note_bounds(s, i, facts);
        else if (is(s, i, "__cluster_dims__") && is(s, i + 1, "("))
            note_clusters(s, i, facts);
        else if (is(s, i, "__device__") && space_of(s, i) == Space::function && function_name(s, i))
            functions.push_back(function_name(s, i));
    }
    for (size_t i = 1; i < n; i++) {
        auto kernel = kernels.find(s.tokens[i].text);
        if (kernel != kernels.end() && is_host_function(s, i))
            kernel->second.ambiguous = true;
    }
    for (size_t i = 1; i < n; i++) {
        refuse_shift(s, i, kernels);
        if (is(s, i, "<<<"))
            note_launch(s, i, kernels, facts);
        else if ((is_index_name(s, i) || facts.file_shared.count(s.tokens[i].text)) &&
                 declares(s, i) && !is_at_file_scope(s, i))
            facts.shadows.push_back({ s.tokens[i].text, i, scope_end(s, i) });
    }
    find_recursion(s, functions, facts);
    return facts;
}
