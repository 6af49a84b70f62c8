#include "refused.h"

#include <cstring>
#include <map>
#include <set>

#include "facts.h"
#include "symbols.h"
#include "views.h"

namespace {

// Classes and objects of the C++ library that device code cannot use with any option of nvcc.
const std::set<std::string_view> host_classes = {
    "any",           "basic_string",  "bitset",
    "cerr",          "cin",           "clog",
    "cout",          "deque",         "forward_list",
    "function",      "ifstream",      "istringstream",
    "list",          "map",           "mt19937",
    "multimap",      "multiset",      "mutex",
    "ofstream",      "ostringstream", "priority_queue",
    "queue",         "random_device", "set",
    "shared_ptr",    "stack",         "string",
    "stringstream",  "thread",        "unique_ptr",
    "unordered_map", "unordered_set", "vector",
    "wstring",
};

struct Refused {
    const Source &s;
    const std::vector<Body> &bodies;
    const NvccOptions options;
    const bool has_cuda_std, depends_on_side;
    bool is_using_std = false;   // using namespace std;
    std::string marks;

    Refused(const Source &source, const std::vector<Body> &all, NvccOptions o)
        : s(source), bodies(all), options(o),
          has_cuda_std(mentions(source, "cuda/std") || mentions(source, "cuda::std")),
          depends_on_side(mentions(source, "__CUDA_ARCH__"))
    {
    }

    std::string text(size_t i) const { return std::string(s.tokens[i].text); }
    void mark(size_t i, const std::string &name, const std::string &what);
    const Body *device_body(size_t i) const;
    void exception(size_t i);
    void launch(size_t i);
    void use_of_library(size_t i);
    void host_variables();
};

// name: of what g++ must list in the function as well.
void Refused::mark(size_t i, const std::string &name, const std::string &what)
{
    const Token &t = s.tokens[i];

    marks += refused_mark + std::to_string(t.line) + ' ' + std::to_string(t.column + 1) + '\t' +
             s.files[t.file] + '\t' + name + '\t' + what;
}

// The body of device code around token i. Code for both sides is not judged if it may be
// different on each of them.
const Body *Refused::device_body(size_t i) const
{
    const Body *b = is_of_device(s, i) ? nullptr : body_around(bodies, i);

    return b && b->side != host_side && (b->side != both_sides || !depends_on_side) ? b : nullptr;
}

void Refused::exception(size_t i)
{
    bool is_operator = is_any(s, i, { "typeid", "dynamic_cast" });

    if ((is_operator || is_any(s, i, { "throw", "try" })) && device_body(i))
        mark(i, "",
             "has '" + text(i) + "'; device code has no " +
                 (is_operator ? "types at run time" : "exceptions"));
}

void Refused::launch(size_t i)
{
    if (!options.separate && is(s, i, "<<<") && device_body(i))
        mark(i, "",
             "launches a kernel; nvcc needs -rdc=true for that, and the CPU device does not "
             "support it");
}

// A name of the C++ library at i: std::min(, std::numeric_limits<T>::max(, std::string s
void Refused::use_of_library(size_t i)
{
    bool is_class = host_classes.count(s.tokens[i].text),
         is_std = is(s, i - 1, "::") ? is(s, i - 2, "std") : is_using_std && is_class;
    size_t behind = is(s, i + 1, "<") && angle_close(s, i + 1) ? angle_close(s, i + 1) + 1 : i + 1;
    bool is_object = s.tokens[i].text[0] == 'c' && is(s, i + 1, "<") && is(s, i + 2, "<");

    if (!is_std || has_cuda_std)
        return;
    const Body *b = device_body(i);
    if (!b || b->side == both_sides || is_any(s, i - 1, { ".", "->" }))
        return;
    if (is_class && (is_word(s, behind) || is_any(s, behind, { "(", "{" }) || is_object))
        mark(i, "",
             "uses 'std::" + text(i) +
                 "', which is host code of the C++ library; use arrays, "
                 "pointers and printf");
    else if (is_any(s, i, { "min", "max" }) && is(s, behind, "(") && !options.relaxed_constexpr)
        mark(i, "",
             "calls 'std::" + text(i) + "', which is a host function of the C++ library; write " +
                 text(i) + ", or pass --expt-relaxed-constexpr to nvcc");
    else if (is(s, i, "numeric_limits") && is(s, behind, "::") && is(s, behind + 2, "(") &&
             !options.relaxed_constexpr)
        mark(i, "",
             "calls 'std::numeric_limits::" + text(behind + 1) +
                 "', which is a host function of the C++ library; define a constexpr variable "
                 "outside of the function, or pass --expt-relaxed-constexpr to nvcc");
}

void Refused::host_variables()
{
    for (auto &[i, variable] : device_uses(s, bodies)) {
        const Token &declared = s.tokens[variable];
        // g++ may replace an element by its value, which nvcc does not.
        bool is_element = is(s, variable + 1, "[") && is(s, i + 1, "[");

        if (device_body(i))
            mark(i, is_element ? "" : text(i),
                 "uses '" + text(i) +
                     "', which is a host variable; write __constant__ or __device__ before its "
                     "declaration in line " +
                     std::to_string(declared.line) +
                     (declared.file == s.tokens[i].file ? "" : " of " + s.files[declared.file]) +
                     ", or pass it as an argument");
    }
}

bool has_word(char **command, const char *word)
{
    for (; *command; command++)
        if (!strcmp(*command, word))
            return true;
    return false;
}

}   // namespace

NvccOptions nvcc_options(char **command)
{
    return { has_word(command, "-DEMU_RELAXED_CONSTEXPR"),
             has_word(command, "-DEMU_SEPARATE_COMPILATION") };
}

std::string refused_uses(const Source &s, const std::vector<Body> &bodies, NvccOptions options)
{
    Refused f(s, bodies, options);

    for (size_t i = 2; i < s.tokens.size(); i++) {
        f.is_using_std |= is(s, i, "std") && is(s, i - 1, "namespace") && is(s, i - 2, "using");
        f.exception(i);
        f.launch(i);
        f.use_of_library(i);
    }
    f.host_variables();
    for (size_t i : constant_writes(s, bodies))
        if (f.device_body(i))
            f.mark(i, f.text(i),
                   "writes '" + f.text(i) +
                       "', which is a __constant__ variable; declare it __device__, or use "
                       "cudaMemcpyToSymbol in host code");
    if (!f.has_cuda_std && !options.relaxed_constexpr)
        f.marks += judges_std_mark;
    return f.marks;
}
