// The bodies of functions, with the side on which each of them runs: of functions at file scope, of
// members and friends, of operators, and of lambdas with __host__ or __device__.
#ifndef PASS_BODIES_H
#define PASS_BODIES_H

#include <string_view>
#include <vector>

#include "functions.h"

struct Body {
    size_t open, close;   // { and }
    size_t start;         // the first token of the declaration; of a lambda, its [
    size_t name;          // 0: a lambda
    Side side;
    bool is_constexpr, is_template;
    std::string_view of;   // the class that has the function; "": none
};

// In the order of the source.
std::vector<Body> find_bodies(const Source &);

// The innermost body around token i; null if there is none.
const Body *body_around(const std::vector<Body> &, size_t i);

#endif
