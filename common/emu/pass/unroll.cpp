// `#pragma unroll` without a constant number requests full unrolling. g++ needs a number, and takes
// minutes for large ones in nested loops. So the number is limited: unrolled code has at most LIMIT
// tokens of source, and a factor is at most MOST.
#include "unroll.h"

#include <algorithm>
#include <cstdlib>

#include "facts.h"

constexpr size_t LIMIT = 16384, MOST = 64;

// The argument of a line `#pragma unroll ARGUMENT`. False: the line is no such pragma.
static bool is_unroll(std::string_view line, std::string_view *argument)
{
    static constexpr std::string_view word = "unroll";
    size_t at = line.find_first_not_of(" \t");

    if (at == line.npos || line.compare(at, 7, "#pragma") != 0)
        return false;
    at = line.find_first_not_of(" \t", at + 7);
    if (at == line.npos || line.compare(at, word.size(), word) != 0)
        return false;
    at = line.find_first_not_of(" \t(", at + word.size());
    *argument = at == line.npos ? "" : line.substr(at);
    return true;
}

// Does `#pragma unroll` precede token i?
static bool is_unrolled(const Source &s, size_t i)
{
    std::string_view blank = s.tokens[i].blank, argument;

    for (size_t at = blank.find('#'); at != blank.npos; at = blank.find('#', at + 1))
        if (is_unroll(blank.substr(at), &argument))
            return true;
    return false;
}

// The bound in a loop condition like `i < 16`; MOST if it is not a number.
static size_t rounds(const Source &s, size_t open)
{
    for (size_t i = open; i < s.tokens[open].partner; i++)
        if (is(s, i, "<") && s.tokens[i + 1].kind == Token::number && is(s, i + 2, ";"))
            return std::max(1, atoi(std::string(s.tokens[i + 1].text).c_str()));
    return MOST;
}

static size_t statement_cost(const Source &s, size_t i, size_t *end);

// The maximum unroll factor of the loop whose `for` is at i.
static size_t factor(const Source &s, size_t i)
{
    size_t end, cost = statement_cost(s, s.tokens[i + 1].partner + 1, &end);

    return std::max<size_t>(1, std::min(MOST, LIMIT / std::max<size_t>(1, cost)));
}

// Number of tokens of the statement at i after its loops are unrolled. *end: the position after it.
static size_t statement_cost(const Source &s, size_t i, size_t *end)
{
    if (is(s, i, "for") && is(s, i + 1, "(")) {
        size_t body = statement_cost(s, s.tokens[i + 1].partner + 1, end);
        return body * (is_unrolled(s, i) ? std::min(factor(s, i), rounds(s, i + 1)) : 1);
    }
    size_t cost = 0, close = is(s, i, "{") ? s.tokens[i].partner : 0;

    for (i += close != 0; i != close && s.tokens[i].kind != Token::end;) {
        if (is(s, i, "for")) {
            cost += statement_cost(s, i, &i);
            if (!close)
                break;
            continue;
        }
        cost++;
        if (!close && is(s, i, ";")) {
            i++;
            break;
        }
        if (!close && is(s, i, "{")) {   // the body of an `if` or of another statement with braces
            size_t inner;
            cost += statement_cost(s, i, &inner);
            i = inner;
            if (!is(s, i, "else"))
                break;
            continue;
        }
        i++;
    }
    *end = close ? close + 1 : i;
    return cost;
}

std::string rewritten_pragma(const Source &s, size_t i, std::string_view line)
{
    std::string_view argument;

    if (!is_unroll(line, &argument))
        return std::string(line);
    size_t number = !argument.empty() && isdigit((unsigned char)argument[0])
                      ? (size_t)atoi(std::string(argument).c_str())
                  : is(s, i, "for") && is(s, i + 1, "(") ? factor(s, i)
                                                         : MOST;
    return "#pragma GCC unroll " + std::to_string(number) + "\n";
}
