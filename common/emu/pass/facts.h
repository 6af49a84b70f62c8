// Facts about the whole source that the rewriting of one place needs: where CUDA's constructs are,
// and what names mean.
#ifndef PASS_FACTS_H
#define PASS_FACTS_H

#include <initializer_list>
#include <map>
#include <set>
#include <string>

#include "tokens.h"

// KERNEL<<<config>>>(arguments)
struct LaunchSite {
    size_t open;      // <<<
    size_t close;     // the first > of >>>
    bool ambiguous;   // the name alone does not select the function and its arguments
};

// [from, to): the tokens in which a name is a local variable, parameter or member.
struct Shadow {
    std::string_view name;
    size_t from, to;
};

// none: a compile-time constant, a lambda, or a declaration where another of these words decides.
enum class Space { none, function, device, constant, managed };

struct Facts {
    std::map<size_t, LaunchSite> launches;   // keyed by the first token of the kernel expression
    std::map<size_t, size_t> shared;         // statements with __shared__: first token -> semicolon
    std::set<size_t> null_arguments;         // NULL arguments of launches
    // Bodies of kernels with launch bounds: { -> the tokens of the number of threads.
    std::map<size_t, std::pair<size_t, size_t>> bounds;
    // The same with __cluster_dims__.
    std::map<size_t, std::pair<size_t, size_t>> clusters;
    std::set<std::string_view> file_shared;   // names of __shared__ variables outside functions
    // device functions that call themselves, directly or indirectly
    std::set<std::string_view> recursive;
    std::set<std::string_view> outside;   // device functions that are defined in another file
    std::vector<Shadow> shadows;
};

Facts find_facts(const Source &);

bool is(const Source &, size_t token, std::string_view text);
bool is_any(const Source &, size_t token, std::initializer_list<std::string_view>);
bool is_word(const Source &, size_t token);
// Words that no type precedes, and no declared name follows.
bool is_keyword(const Source &, size_t token);
// Words that are followed by a parenthesized argument and belong to a declaration's attributes.
bool is_attribute(const Source &, size_t token);
// The token before the template arguments that end at i; i if there are none.
size_t before_angles(const Source &, size_t i);
bool is_basic_type(const Source &, size_t token);
// The first token of the declaration or statement that contains token i.
size_t statement_start(const Source &, size_t i);
// What the word __device__, __constant__ or __managed__ at i declares.
Space space_of(const Source &, size_t i);
bool is_at_file_scope(const Source &, size_t i);   // outside functions and classes
bool is_in_class(const Source &, size_t i);        // directly
// The token of the name of the function whose declaration contains token i; 0 if there is none.
size_t function_name(const Source &, size_t i);
// The { of the body of the function whose name is this token; 0 for a declaration.
size_t body_of(const Source &, size_t name);
// Is token i one of CUDA's index names or a __shared__ variable of file scope, and not a local
// name?
bool is_builtin_name(const Source &, const Facts &, size_t i);

// Is token i a call without arguments of a function in the global namespace?
bool is_builtin_call(const Source &, size_t i);
// Is token i in a header of the CPU device?
bool is_of_device(const Source &, size_t i);
bool is_library_call(const Source &, size_t i);

#endif
