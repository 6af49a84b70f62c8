// The functions that the program declares outside classes, and the side on which each of them runs.
#ifndef PASS_FUNCTIONS_H
#define PASS_FUNCTIONS_H

#include <map>
#include <set>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "tokens.h"

// Bits of a set.
enum Side { host_side = 1, device_side = 2, both_sides = 4, kernel_side = 8 };

// A declaration or definition.
struct Function {
    size_t first, start;   // its first token; the first one after the template header
    size_t name;
    size_t body;              // the {, or 0
    std::string_view space;   // the namespace directly around it, if it has a name
    Side side;
    bool is_template;
    bool is_specialization;
    bool is_local;   // to this file: static, inline or in a namespace without a name
    bool is_constexpr;
    bool is_qualified;   // A::f: of a class, or of a namespace that declares it elsewhere
};

struct Functions {
    std::vector<Function> all;   // in the order of the source
    // Each name with the places in `all` of its declarations, without those of A::f.
    std::map<std::string_view, std::vector<size_t>> named;
    // What also names a type, a variable, a friend or a function of the CPU device: a call of such
    // a name need not be a call of the function.
    std::unordered_set<std::string_view> ambiguous;
    std::set<std::string_view> namespaces;
};

Functions find_functions(const Source &);

// The side that the words [start, name) of a declaration choose.
Side side_of(const Source &, size_t start, size_t name);
// Is token i in a namespace of this name?
bool is_in_namespace(const Source &, size_t i, std::string_view name);
// The > of the template arguments that the < at i opens; 0 if there is none.
size_t angle_close(const Source &, size_t i);

#endif
