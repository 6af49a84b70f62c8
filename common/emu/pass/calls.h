// Calls and launches in the body of a function.
#ifndef PASS_CALLS_H
#define PASS_CALLS_H

#include <string_view>
#include <vector>

#include "functions.h"

// The names that the body at the { calls or launches: f(...), f<int>(...), f<<<...>>>(...).
// Without members, operands that are not evaluated, branches of `if constexpr`, local classes, and
// lambdas with __host__ or __device__.
std::vector<size_t> calls_in(const Source &, size_t body);

// The token after the name and the template arguments of the call at i: ( or <<<.
size_t call_open(const Source &, size_t i);

// The { of the lambda at i if it has __host__ or __device__; else 0.
size_t marked_lambda_body(const Source &, size_t i);

// Does the name at i, in the body of a function, certainly look like a declaration?
bool declares_local(const Source &, size_t i);

// May `text` be a parameter or a local name of the function?
struct Code {
    size_t first, name, body;   // of its declaration; its {
};
bool is_local_name(const Source &, const Code &, std::string_view text);

#endif
