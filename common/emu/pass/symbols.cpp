#include "symbols.h"

#include <algorithm>
#include <cstdio>
#include <set>

#include "calls.h"
#include "facts.h"

namespace {

using Variables = std::map<std::string_view, DeviceVariable>;

// Adds the variables of the statement that contains the word __device__ or the like at i.
void add_declared(const Source &s, size_t i, std::vector<DeviceVariable> &all)
{
    size_t first = all.size(), k = i + 1;

    for (; !is_any(s, k, { ";", "}" }) && s.tokens[k].kind != Token::end; k++) {
        if (is(s, k, "="))
            while (!is_any(s, k + 1, { ",", ";" }) && s.tokens[k + 1].kind != Token::end)
                k = std::max(k + 1, s.tokens[k + 1].partner);
        else if (is_word(s, k) && is_any(s, k + 1, { "[", ",", ";", "=", "{" })) {
            unsigned dimensions = 0;
            for (size_t open = k + 1; is(s, open, "["); open = s.tokens[open].partner + 1)
                dimensions++;
            all.push_back({ s.tokens[i].text, k, 0, dimensions });
        } else if (is(s, k, "<") && angle_close(s, k))
            k = angle_close(s, k);
        k = std::max(k, s.tokens[k].partner);
    }
    for (; first < all.size(); first++)
        all[first].end = first + 1 < all.size() ? all[first + 1].name : k;
}

// The names of types and enumerators, and of templates, are not those of one variable.
bool is_of_something_else(const Source &s, size_t i)
{
    size_t parent = s.tokens[i].parent, before = parent ? parent - 1 : 0;

    return is_any(s, i - 1, { "struct", "class", "union", "enum", "using", "typename" }) ||
           is(s, before, "enum") ||
           (before && is_any(s, before - 1, { "enum", "class" }) && is_word(s, before) &&
            is(s, parent, "{"));
}

// The __device__ and __constant__ variables that are no templates, by name.
Variables find_variables(const Source &s)
{
    Variables all;

    for (const DeviceVariable &v : device_variables(s))
        if (v.space != "__managed__" && !is(s, statement_start(s, v.name), "template"))
            all[s.tokens[v.name].text] = v;
    if (!all.empty())
        for (size_t i = 1; i < s.tokens.size(); i++)
            if (is_word(s, i) && is_of_something_else(s, i))
                all.erase(s.tokens[i].text);
    return all;
}

// Adds the variables that the statement of the host at `first` declares: name -> its token.
void add_host_declared(const Source &s, size_t first, std::map<std::string_view, size_t> &all)
{
    if (is_any(s, first,
               { "typedef", "using", "template", "struct", "class", "union", "enum", "namespace",
                 "friend", "static_assert" }))
        return;
    for (size_t k = first; !is_any(s, k, { ";", "}" }) && s.tokens[k].kind != Token::end; k++) {
        if (is_any(s, k, { "__device__", "__constant__", "__managed__", "__shared__", "operator" }))
            return;
        if (is(s, k, "="))
            while (!is_any(s, k + 1, { ",", ";" }) && s.tokens[k + 1].kind != Token::end)
                k = std::max(k + 1, s.tokens[k + 1].partner);
        else if (is_word(s, k) && is_any(s, k + 1, { "[", ",", ";", "=", "{" }))
            all.emplace(s.tokens[k].text, k);
        else if (is(s, k, "<") && angle_close(s, k))
            k = angle_close(s, k);
        else if (is(s, k, "(") && !is_attribute(s, k - 1))   // a function
            return;
        if (is(s, k, "{") && !all.count(s.tokens[k - 1].text))   // its body
            return;
        k = std::max(k, s.tokens[k].partner);
    }
}

// The variables of the host outside functions, and static members.
std::map<std::string_view, size_t> find_host_variables(const Source &s)
{
    std::map<std::string_view, size_t> all;

    for (size_t i = 1; i < s.tokens.size(); i++) {
        // What follows the } of a class without a type may be the name of a typedef.
        bool is_name = is(s, i - 1, "}") && is_any(s, i + 1, { ";", ",", "[", "=" });
        bool is_start = i == 1 || s.tokens[i - 1].kind == Token::foreign ||
                        (is_any(s, i - 1, { ";", "{", "}" }) && !is_name);
        if (is_word(s, i) && !is_of_device(s, i) &&
            ((is_start && is_at_file_scope(s, i)) || (is(s, i, "static") && is_in_class(s, i))))
            add_host_declared(s, i, all);
    }
    if (!all.empty())
        for (size_t i = 1; i < s.tokens.size(); i++)
            if (is_word(s, i) && is_of_something_else(s, i))
                all.erase(s.tokens[i].text);
    for (auto &[name, variable] : find_variables(s))
        all.erase(name);
    return all;
}

// Is token i an operand that is not evaluated?
bool is_unevaluated(const Source &s, size_t i)
{
    static const auto words = { std::string_view("sizeof"), std::string_view("decltype"),
                                std::string_view("alignof"), std::string_view("typeid"),
                                std::string_view("noexcept") };

    if (is_any(s, i - 1, words))
        return true;
    for (size_t open = s.tokens[i].parent; is(s, open, "("); open = s.tokens[open].parent)
        if (is_any(s, open - 1, words))
            return true;
    return false;
}

// Is this name that of a parameter, or of a local variable?
bool is_declared_in(const Source &s, const Body &b, std::string_view name)
{
    for (size_t i = b.start; i < b.close; i++)
        if (s.tokens[i].text == name && !is_any(s, i - 1, { ".", "->", "::" }) &&
            (i < b.open ? i != b.name : declares_local(s, i)))
            return true;
    return false;
}

// The first token of a name with its namespaces: N::x, ::x
size_t name_start(const Source &s, size_t i)
{
    while (is(s, i - 1, "::"))
        i -= is_word(s, i - 2) && !is_keyword(s, i - 2) ? 2 : 1;
    return i;
}

// Are the marks at i and after it one operator?
bool joins(const Source &s, size_t i) { return s.tokens[i + 1].blank.empty(); }

bool is_assigned(const Source &s, size_t first, size_t behind)
{
    size_t k = behind;

    if (is(s, k, "="))
        return true;
    if (is_any(s, k, { "+", "-" }) && is(s, k + 1, s.tokens[k].text) && joins(s, k))
        return true;
    if (is_any(s, k, { "<", ">" }) && joins(s, k) && is_any(s, k + 1, { "<=", ">=" }))
        return true;
    if (is_any(s, k, { "+", "-", "*", "/", "%", "&", "|", "^" }) && is(s, k + 1, "="))
        return joins(s, k);
    return is_any(s, first - 1, { "+", "-" }) && is(s, first - 2, s.tokens[first - 1].text) &&
           joins(s, first - 2);
}

// Does the code around [first, behind) certainly use the value, and not only the address?
bool is_value_used(const Source &s, size_t first, size_t behind)
{
    size_t before = first - 1, parent = s.tokens[first].parent;

    if (is(s, before, "&"))   // an address, or a sum of bits
        return s.tokens[before - 1].kind == Token::number || is_any(s, before - 1, { ")", "]" });
    if (is_any(s, behind,
               { "+", "-", "*", "/", "%", "<", ">", "==", "!=", "<=", ">=", "&&", "||", "?", "|",
                 "^", "->" }) ||
        is_any(s, before,
               { "+", "-", "*", "/", "%", "<", ">", "==", "!=", "<=", ">=", "&&", "||", "!", "~",
                 "|", "^", "?" }))
        return true;
    if (is(s, before, "(") && is(s, behind, ")") && !is_word(s, before - 1))
        return is_value_used(s, before, behind + 1);
    if (is(s, before, ")") && is_basic_type(s, s.tokens[before].partner + 1))
        return true;
    if (is(s, before, "[") ||
        is_any(s, parent - 1, { "printf", "fprintf", "snprintf", "if", "while", "switch" }))
        return true;
    if (!is_any(s, before, { "=", "return" }) || !is_any(s, behind, { ";", ",", ")" }))
        return false;
    for (size_t k = statement_start(s, first); k < before; k++)   // the initializer of a reference
        if (is_any(s, k, { "&", "&&" }))
            return false;
    return true;
}

}   // namespace

std::vector<DeviceVariable> device_variables(const Source &s)
{
    std::vector<DeviceVariable> all;

    for (size_t i = 1; i < s.tokens.size(); i++)
        if (is_any(s, i, { "__device__", "__constant__", "__managed__" }) && !is_of_device(s, i) &&
            space_of(s, i) != Space::none && space_of(s, i) != Space::function)
            add_declared(s, i, all);
    return all;
}

std::string dynamic_initialization(std::string_view space, std::string_view name)
{
    return "dynamic initialization of the " + std::string(space) + " variable '" +
           std::string(name) + "'; write a constant, or " +
           (space == "__managed__" ? "assign it in main()" : "call cudaMemcpyToSymbol in main()");
}

std::map<size_t, size_t> host_uses(const Source &s, const std::vector<Body> &bodies)
{
    std::map<size_t, size_t> uses;
    Variables variables = find_variables(s);
    size_t n = variables.empty() ? 0 : s.tokens.size() - 1;

    for (size_t i = 1; i < n; i++) {
        if (!is_word(s, i) || !variables.count(s.tokens[i].text) ||
            is_any(s, i - 1, { ".", "->" }) || is(s, i + 1, "(") || is_unevaluated(s, i))
            continue;
        const Body *around = body_around(bodies, i);
        if (!around || is_of_device(s, i) || around->side != host_side || around->is_constexpr ||
            is_declared_in(s, *around, s.tokens[i].text))
            continue;
        uses[name_start(s, i)] = i;
    }
    return uses;
}

std::map<size_t, size_t> device_uses(const Source &s, const std::vector<Body> &bodies)
{
    std::map<size_t, size_t> uses;
    std::map<std::string_view, size_t> variables = find_host_variables(s);
    size_t n = variables.empty() ? 0 : s.tokens.size() - 1;

    for (size_t i = 1; i < n; i++) {
        auto variable = is_word(s, i) ? variables.find(s.tokens[i].text) : variables.end();
        if (variable == variables.end() || is_any(s, i - 1, { ".", "->" }) || is(s, i + 1, "::") ||
            is_unevaluated(s, i))
            continue;
        const Body *around = body_around(bodies, i);
        if (around && around->side != host_side && !is_declared_in(s, *around, s.tokens[i].text))
            uses[i] = variable->second;
    }
    return uses;
}

std::vector<size_t> constant_writes(const Source &s, const std::vector<Body> &bodies)
{
    std::vector<size_t> writes;
    Variables variables = find_variables(s);
    size_t n = variables.empty() ? 0 : s.tokens.size() - 1;

    for (size_t i = 1; i < n; i++) {
        auto variable = is_word(s, i) ? variables.find(s.tokens[i].text) : variables.end();
        size_t behind = i + 1;
        if (variable == variables.end() || variable->second.space != "__constant__" ||
            variable->second.dimensions > 0 || is_any(s, i - 1, { ".", "->" }))
            continue;
        while (is(s, behind, "."))
            behind += 2;
        const Body *around = body_around(bodies, i);
        if (around && around->side != host_side && is_assigned(s, name_start(s, i), behind) &&
            !is_declared_in(s, *around, s.tokens[i].text))
            writes.push_back(i);
    }
    return writes;
}

void warn_of_host_uses(const Source &s, const std::vector<Body> &bodies,
                       const std::map<size_t, size_t> &uses)
{
    Variables variables = find_variables(s);
    std::set<std::string> printed;

    for (auto &[first, last] : uses) {
        const DeviceVariable &v = variables.at(s.tokens[last].text);
        const Token &t = s.tokens[last];
        size_t behind = last + 1;
        unsigned subscripts = 0;

        for (; is_any(s, behind, { "[", "." });
             behind = is(s, behind, "[") ? s.tokens[behind].partner + 1 : behind + 2)
            subscripts += is(s, behind, "[");
        bool is_written = is_assigned(s, first, behind);
        const Body *around = body_around(bodies, first);
        // A template may convert the value, or not; nvcc does not judge it.
        if (subscripts < v.dimensions || around->is_template ||
            (!is_written && !is_value_used(s, first, behind)))
            continue;
        std::string line = s.files[t.file] + ":" + std::to_string(t.line) +
                           ": warning: host code " + (is_written ? "writes" : "reads") + " '" +
                           std::string(t.text) + "', which is a " + std::string(v.space) +
                           " variable; use " +
                           (is_written ? "cudaMemcpyToSymbol" : "cudaMemcpyFromSymbol");
        if (printed.insert(line).second)
            fprintf(stderr, "%s\n", line.c_str());
    }
}
