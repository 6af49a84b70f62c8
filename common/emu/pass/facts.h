// What the rewriting of one place has to know of others: where CUDA's constructs are and what their
// names mean.
#ifndef PASS_FACTS_H
#define PASS_FACTS_H

#include <map>
#include <set>
#include <string>

#include "tokens.h"

// KERNEL<<<config>>>(arguments)
struct LaunchSite {
    size_t open;      // <<<
    size_t close;     // the first > of >>>
    bool ambiguous;   // the name alone does not say which function is called, with which arguments
};

// [from, to): tokens in which a name is a local variable, parameter or member
struct Shadow {
    std::string_view name;
    size_t from, to;
};

// none: a constant of the compiler, a lambda, or another of these words says it
enum class Space { none, function, device, constant, managed };

struct Facts {
    std::map<size_t, LaunchSite> launches;   // by the kernel expression's first token
    std::map<size_t, size_t> shared;         // statements with __shared__: first token -> semicolon
    std::set<size_t> null_arguments;         // of launches
    // bodies of kernels with launch bounds: { -> the tokens of the number of threads
    std::map<size_t, std::pair<size_t, size_t>> bounds;
    std::set<std::string_view> file_shared;   // names of __shared__ variables outside functions
    std::set<std::string_view> recursive;     // device functions that call themselves
    std::vector<Shadow> shadows;
};

Facts find_facts(const Source &);

bool is(const Source &, size_t token, std::string_view text);
// The first token of the declaration or statement that token i is part of.
size_t statement_start(const Source &, size_t i);
// What the word __device__, __constant__ or __managed__ at i declares.
Space space_of(const Source &, size_t i);
bool is_at_file_scope(const Source &, size_t i);   // outside functions and classes
// The name of the function whose declaration token i is part of; 0 if there is none.
size_t function_name(const Source &, size_t i);
// Is token i, one of these names, that of CUDA and not a local one?
bool is_builtin_name(const Source &, const Facts &, size_t i);

// Is token i called as a function of the global namespace, without arguments?
bool is_builtin_call(const Source &, size_t i);

#endif
