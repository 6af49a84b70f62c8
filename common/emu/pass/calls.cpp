#include "calls.h"

#include <algorithm>

#include "facts.h"

// ---- calls ----

size_t call_open(const Source &s, size_t i)
{
    size_t close = is(s, i + 1, "<") ? angle_close(s, i + 1) : i;

    return close && is_any(s, close + 1, { "(", "<<<" }) ? close + 1 : 0;
}

static bool is_call(const Source &s, size_t i)
{
    return is_word(s, i) && is_any(s, i + 1, { "(", "<", "<<<" }) && !is_keyword(s, i) &&
           !is_any(s, i - 1, { ".", "->" }) && call_open(s, i);
}

// The position after the statement at i.
static size_t statement_end(const Source &s, size_t i)
{
    if (is(s, i, "{"))
        return s.tokens[i].partner + 1;
    if (is_any(s, i, { "if", "for", "while", "switch" })) {
        while (!is_any(s, i, { "(", ";" }) && s.tokens[i].kind != Token::end)
            i++;
        if (!is(s, i, "("))
            return i;
        i = statement_end(s, s.tokens[i].partner + 1);
        return is(s, i, "else") ? statement_end(s, i + 1) : i;
    }
    while (!is_any(s, i, { ";", "}" }) && s.tokens[i].kind != Token::end)
        i = std::max(i, s.tokens[i].partner) + 1;
    return i + is(s, i, ";");
}

static bool is_lambda(const Source &s, size_t i)
{
    return is(s, i, "[") && !is(s, i + 1, "[") && !is_any(s, i - 1, { "[", "]", ")" }) &&
           (!is_word(s, i - 1) || is_keyword(s, i - 1));
}

size_t marked_lambda_body(const Source &s, size_t i)
{
    bool is_marked = false;

    if (!is_lambda(s, i))
        return 0;
    for (i = s.tokens[i].partner + 1; !is_any(s, i, { "{", ";", ")", "]", "}" }); i++) {
        is_marked |= is_any(s, i, { "__host__", "__device__" });
        i = std::max(i, s.tokens[i].partner);
        if (s.tokens[i].kind == Token::end)
            return 0;
    }
    return is_marked && is(s, i, "{") ? i : 0;
}

// The last token of code at i that is not judged; 0: that is none.
static size_t unjudged_end(const Source &s, size_t i)
{
    if (!is_word(s, i))
        return s.tokens[marked_lambda_body(s, i)].partner;
    if (is_any(s, i, { "decltype", "sizeof", "alignof", "noexcept", "typeid", "static_assert" }))
        return is(s, i + 1, "(") ? s.tokens[i + 1].partner : 0;
    if (is(s, i, "if") && is_any(s, i + 1, { "constexpr", "consteval" }))
        return statement_end(s, i) - 1;
    if (!is_any(s, i, { "struct", "class", "union" }))
        return 0;
    while (is_word(s, i) || is_any(s, i, { "::", ":", ",", "<", ">" }))
        i++;
    return is(s, i, "{") ? s.tokens[i].partner : 0;
}

std::vector<size_t> calls_in(const Source &s, size_t body)
{
    std::vector<size_t> calls;

    for (size_t i = body + 1; i < s.tokens[body].partner; i++) {
        i = std::max(i, unjudged_end(s, i));
        if (is_call(s, i))
            calls.push_back(i);
    }
    return calls;
}

// ---- local names ----

// Do only words and marks of a type precede token i in its statement?
static bool follows_type(const Source &s, size_t i)
{
    size_t k = statement_start(s, i);

    if (k == i || is_keyword(s, k) || !(is_word(s, k) || is(s, k, "::")))
        return false;
    for (; k < i; k++) {
        if (!is_word(s, k) && s.tokens[k].kind != Token::number &&
            !is_any(s, k, { "::", "<", ">", "*", "&", "&&", ",", "[", "]" }))
            return false;
        k = std::max(k, s.tokens[k].partner);
    }
    return true;
}

// Is the bracket at `open` the list of parameters or captures of a lambda, or of `for`?
static bool holds_declarations(const Source &s, size_t open)
{
    return is_lambda(s, open) || (is(s, open, "(") && is_any(s, open - 1, { "]", "for" }));
}

// May the name at i, in the body of a function, be declared here? `int f`, `T *f(3)`, `[&f]`
static bool may_declare(const Source &s, size_t i)
{
    size_t before = i - 1, parent = s.tokens[i].parent;
    bool is_called = call_open(s, i) != 0;

    if (is_word(s, before))
        return !is_keyword(s, before);
    if (holds_declarations(s, parent))
        return true;
    if (is(s, before, ",") && is(s, parent, "{"))   // of `int a, f;`, not of `int a[] = { 1, f() }`
        return !is_any(s, parent - 1, { "=", ",", "(", "return", "]" });
    if (!is_any(s, before, { "*", "&", "&&", ">" }))
        return false;
    if (is(s, parent, "{") && is_called)
        return follows_type(s, i);
    bool is_address = is(s, before, "&") && is_any(s, i - 2, { "(", ",", "=", "return", "<" });
    return !is_called && !is_address;
}

bool declares_local(const Source &s, size_t i)
{
    size_t before = i - 1, parent = s.tokens[i].parent;

    if (is_word(s, before))
        return !is_keyword(s, before);
    if (is(s, parent, "["))   // a capture, or auto [a, b]
        return is_lambda(s, parent) || is(s, parent - 1, "auto");
    if (is(s, before, ","))
        return is(s, parent, "{") && !is_any(s, parent - 1, { "=", ",", "(", "return", "]" });
    return is_any(s, before, { "*", "&", "&&", ">" }) && follows_type(s, i) &&
           (is(s, parent, "{") || holds_declarations(s, parent));
}

bool is_local_name(const Source &s, const Code &f, std::string_view text)
{
    for (size_t i = f.first; i < s.tokens[f.body].partner; i++)
        if (s.tokens[i].text == text && i != f.name && !is_any(s, i - 1, { ".", "->", "::" }) &&
            (i < f.body || may_declare(s, i)))
            return true;
    return false;
}
