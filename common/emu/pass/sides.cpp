// Calls that nvcc refuses, and that g++ accepts because it compiles both sides as one. The pass
// does not resolve overloads: a call is an error only if all functions of its name are on the wrong
// side, and if nothing else has this name.
#include "sides.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <optional>

#include "bodies.h"
#include "calls.h"
#include "facts.h"
#include "lex.h"
#include "symbols.h"
#include "views.h"

namespace {

constexpr size_t MOST_PRINTED = 20, MOST_FOUND = 200;   // errors

// Functions of the C library that nvcc refuses in device code. It has the others, as printf,
// malloc, memcpy and those of math.h.
const std::set<std::string_view> host_only = {
    "_Exit",     "abort",    "aligned_alloc", "atexit",  "atof",      "atoi",    "atol",
    "bsearch",   "calloc",   "difftime",      "div",     "drand48",   "exit",    "fclose",
    "fflush",    "fgetc",    "fgets",         "fopen",   "fprintf",   "fputc",   "fputs",
    "fread",     "fscanf",   "fwrite",        "getchar", "getenv",    "isalpha", "isdigit",
    "isspace",   "memchr",   "memcmp",        "memmove", "nanosleep", "perror",  "putchar",
    "puts",      "qsort",    "rand",          "rand_r",  "random",    "realloc", "scanf",
    "setlocale", "sleep",    "snprintf",      "sprintf", "srand",     "srandom", "sscanf",
    "strcat",    "strchr",   "strcmp",        "strcpy",  "strdup",    "strlen",  "strerror",
    "strncat",   "strncmp",  "strncpy",       "strrchr", "strstr",    "strtod",  "strtof",
    "strtok",    "strtol",   "strtoul",       "system",  "time",      "tolower", "toupper",
    "usleep",    "vfprintf", "vprintf",
};

// Functions whose value g++ computes in an initializer, and nvcc does not; those with an f at the
// end, too. So are make_float4 and its like.
const std::set<std::string_view> no_constants = {
    "acos", "asin", "atan", "atan2", "cbrt", "cos",   "cosh", "exp",   "exp2",
    "fabs", "fmax", "fmin", "fmod",  "log",  "log10", "log2", "log1p", "pow",
    "sin",  "sinh", "sqrt", "tan",   "tanh", "max",   "min",
};

// Functions of the CUDA runtime that nvcc refuses there. It has cudaMalloc, cudaFree and others.
const std::set<std::string_view> runtime_only = {
    "cudaDeviceReset",
    "cudaDeviceSynchronize",
    "cudaEventCreate",
    "cudaEventElapsedTime",
    "cudaEventSynchronize",
    "cudaFreeHost",
    "cudaMallocHost",
    "cudaMallocManaged",
    "cudaMemcpy",
    "cudaMemset",
    "cudaSetDevice",
    "cudaStreamCreate",
    "cudaStreamSynchronize",
};

// The type that the declaration of a kernel returns, if it is certainly not void; else "".
std::string wrong_type(const Source &s, const Function &kernel)
{
    static const std::set<std::string_view> types = { "bool",     "char",   "short",  "int",
                                                      "long",     "float",  "double", "signed",
                                                      "unsigned", "size_t", "void" };
    std::string text;
    bool is_wrong = false;

    for (size_t k = kernel.start; k < kernel.name; k++) {
        if (is_any(s, k, { "__launch_bounds__", "__cluster_dims__", "__attribute__", "alignas" }) &&
            is(s, k + 1, "("))
            k = s.tokens[k + 1].partner;
        else if (is(s, k, "["))
            k = s.tokens[k].partner;
        else if (is_any(s, k, { "<", "decltype" }))   // std::enable_if_t<..., void> and others
            return "";
        else if (types.count(s.tokens[k].text) || is(s, k, "*")) {
            text += (text.empty() || text.back() == '*' ? "" : " ") + std::string(s.tokens[k].text);
            is_wrong |= !is(s, k, "void");
        }
    }
    return is_wrong ? text : "";
}

struct Error {
    size_t token;
    std::string text;
};

struct Judge {
    const Source &s;
    const bool is_one_view;
    const NvccOptions options;
    const Functions functions;
    const std::vector<Body> bodies;
    std::vector<Error> errors;
    // Names that an error asks to be made kernels or device functions: they are no host code.
    std::set<std::string_view> misplaced;
    // Computed when an error needs it, so that right programs cost little time.
    std::set<std::string_view> used;   // what find_used() finds
    std::map<std::pair<size_t, std::string_view>, std::vector<const Function *>> known_callees;
    std::map<std::string_view, bool> known_in_libraries;
    std::optional<bool> is_as_nvcc, is_same_on_both;

    Judge(const Source &source, bool one_view, NvccOptions o)
        : s(source), is_one_view(one_view), options(o), functions(find_functions(source)),
          bodies(find_bodies(source))
    {
    }

    std::string_view text(size_t i) const { return s.tokens[i].text; }
    std::string quoted(size_t i) const { return "'" + std::string(text(i)) + "'"; }
    void error(size_t i, const std::string &what) { errors.push_back({ i, what }); }
    bool is_in_namespaces(size_t i, bool or_std) const;
    bool is_in_libraries(std::string_view name);
    bool is_judged(const Function &) const;
    bool is_certain(const Function &);
    bool is_used(const Function &);
    bool is_mentioned(std::string_view space) const;
    int sides_of(const std::vector<const Function *> &) const;
    int sides_of_name(size_t i) const;
    std::vector<const Function *> find_callees(const Function &, std::string_view name) const;
    std::vector<const Function *> callees(const Function &, size_t i);
    std::string place(size_t i, const std::vector<const Function *> &, std::string what) const;
    std::string caller(const Function &) const;
    bool is_of_library(const Function &, size_t i) const;
    void find_used();
    void launch(const Function &, size_t i);
    void lambda_arguments(size_t i);
    void device_call(const Function &, size_t i);
    void host_call(const Function &, size_t i);
    void call_of_kernel(const Function &, size_t i);
    void member_variables();
    void initializer(const DeviceVariable &);
    void inline_variable(size_t i);
    void judge();
    int print();
};

// Do only namespaces precede the name at i? f, N::f, ::f
bool Judge::is_in_namespaces(size_t i, bool or_std) const
{
    for (size_t k = i - 1; is(s, k, "::"); k -= 2) {
        if (!is_word(s, k - 1) || is_keyword(s, k - 1))
            return !is_any(s, k - 1, { ">", ")" });
        if (!functions.namespaces.count(text(k - 1)) && !(or_std && is(s, k - 1, "std")))
            return false;
    }
    return true;
}

// Does this text of system headers have `name (` outside namespaces, or anywhere?
bool has_function(std::string_view text, std::string_view name, bool anywhere)
{
    std::vector<bool> opaque;   // for each open {: is it other than that of extern "C"?
    int depth = 0;

    for (size_t i = 0; i < text.size(); i++) {
        char c = text[i];
        if (c == '"' || c == '\'') {
            for (i++; i < text.size() && text[i] != c && text[i] != '\n'; i++)
                i += text[i] == '\\';
        } else if (c == '{') {
            size_t before = text.find_last_not_of(" \n", i - 1);
            opaque.push_back(i == 0 || before == text.npos || text[before] != '"');
            depth += opaque.back();
        } else if (c == '}' && !opaque.empty()) {
            depth -= opaque.back();
            opaque.pop_back();
        } else if (lex_in_word(c)) {
            size_t end = i;
            while (end < text.size() && lex_in_word(text[end]))
                end++;
            size_t open = text.find_first_not_of(" \n", end);
            if (text.substr(i, end - i) == name && open != text.npos && text[open] == '(' &&
                (anywhere || depth == 0))
                return true;
            i = end - 1;
        }
    }
    return false;
}

// May this name be that of a function of a system header?
bool Judge::is_in_libraries(std::string_view name)
{
    auto [known, is_new] = known_in_libraries.try_emplace(name, false);
    bool has_using = false;

    if (!is_new)
        return known->second;
    for (size_t i = 1; i < s.tokens.size() && !has_using; i++)
        if (is(s, i, "using"))
            for (size_t k = i + 1; is_word(s, k) || is_any(s, k, { "::", "," }); k++)
                has_using |= is(s, k, "namespace") || text(k) == name;
    return known->second = std::any_of(s.tokens.begin(), s.tokens.end(), [&](const Token &t) {
               return t.kind == Token::foreign && has_function(t.text, name, has_using);
           });
}

// Attributes of another declaration, without a body, and of the primary template of a
// specialization, count as well as those here.
bool Judge::is_judged(const Function &f) const
{
    if (!f.body || f.is_qualified || (f.is_constexpr && options.relaxed_constexpr))
        return false;
    for (size_t k : functions.named.at(text(f.name))) {
        const Function &other = functions.all[k];
        if (other.side != f.side && other.space == f.space && (!other.body || f.is_specialization))
            return false;
    }
    return true;
}

// Does code outside name this namespace?
bool Judge::is_mentioned(std::string_view space) const
{
    for (size_t i = 1; i < s.tokens.size(); i++)
        if (text(i) == space && !is(s, i - 1, "namespace"))
            return true;
    return false;
}

// The set of sides of these functions.
int Judge::sides_of(const std::vector<const Function *> &callees) const
{
    int sides = 0;

    for (const Function *f : callees)
        sides |= f->is_constexpr && options.relaxed_constexpr ? both_sides : f->side;
    return sides;
}

// The sides of all functions with the name at i.
int Judge::sides_of_name(size_t i) const
{
    auto named = functions.named.find(text(i));
    int sides = 0;

    if (named != functions.named.end())
        for (size_t k : named->second)
            sides |= functions.all[k].side;
    return sides;
}

// The functions that f can call by this name; none if it may be that of something else. Code that
// never names a namespace does not call its functions from outside.
std::vector<const Function *> Judge::find_callees(const Function &f, std::string_view name) const
{
    std::vector<const Function *> found;
    auto named = functions.named.find(name);

    if (named == functions.named.end() || functions.ambiguous.count(name) ||
        is_local_name(s, { f.first, f.name, f.body }, name))
        return found;
    for (size_t k : named->second) {
        const Function &callee = functions.all[k];
        if (callee.space.empty() || is_mentioned(callee.space) ||
            is_in_namespace(s, f.name, callee.space))
            found.push_back(&callee);
    }
    return found;
}

// The functions of which f calls one at i; none if that is not certain.
std::vector<const Function *> Judge::callees(const Function &f, size_t i)
{
    if (!is_in_namespaces(i, false))
        return {};
    auto [known, is_new] = known_callees.try_emplace({ f.name, text(i) });
    if (is_new)
        known->second = find_callees(f, text(i));
    return known->second;
}

// Is the code of f what nvcc judges? A file that mentions __NVCC__, which the CPU device does not
// define, may have other attributes there, and one that mentions __CUDA_ARCH__ other calls.
bool Judge::is_certain(const Function &f)
{
    if (!is_used(f))
        return false;
    if (!is_as_nvcc)
        is_as_nvcc = !mentions(s, "__NVCC__") &&
                     !(is_one_view && mentions(s, "__CUDA_ARCH__", "EMU_CPU_DEVICE"));
    if (f.side != both_sides || !*is_as_nvcc)
        return *is_as_nvcc;
    if (!is_same_on_both)
        is_same_on_both = !mentions(s, "__CUDA_ARCH__");
    return *is_same_on_both;
}

// Where the functions that are called at i are declared: "its declaration in line 3".
std::string Judge::place(size_t i, const std::vector<const Function *> &callees,
                         std::string what) const
{
    size_t file = s.tokens[callees[0]->start].file;
    std::string lines;
    int last = 0, count = 0;

    for (const Function *callee : callees) {
        const Token &t = s.tokens[callee->start];
        if (t.file != file || t.line == last)
            continue;
        last = t.line;
        lines += (count++ ? " and " : "") + std::to_string(last);
    }
    return what + (count > 1 ? "s in lines " : " in line ") + lines +
           (file == s.tokens[i].file ? "" : " of " + s.files[file]);
}

std::string Judge::caller(const Function &f) const
{
    static const std::map<Side, const char *> kinds = { { host_side, "host function " },
                                                        { device_side, "__device__ function " },
                                                        { both_sides,
                                                          "__host__ __device__ function " },
                                                        { kernel_side, "kernel " } };
    return kinds.at(f.side) + quoted(f.name);
}

// nvcc does not judge a template, or a device function of this file alone, that nothing uses.
bool is_optional(const Function &f)
{
    return f.is_template || (f.is_local && f.side == device_side);
}

bool Judge::is_used(const Function &f)
{
    if (is_optional(f) && used.empty())
        find_used();
    return !is_optional(f) || used.count(text(f.name));
}

// Finds the names that are used by code that nvcc judges.
void Judge::find_used()
{
    std::map<std::string_view, std::set<std::string_view>> uses;   // by each optional function
    std::vector<std::string_view> open;
    auto use = [&](std::string_view name) {
        if (used.insert(name).second)
            open.push_back(name);
    };
    size_t i = 1;

    auto walk = [&](size_t end, const Function *inside) {
        for (; i < end; i++) {
            if (!is_word(s, i) || !functions.named.count(text(i)))
                continue;
            if (!inside)
                use(text(i));
            else if (i != inside->name)
                uses[text(inside->name)].insert(text(i));
        }
    };
    for (const Function &f : functions.all) {
        walk(is_optional(f) ? f.first : f.name, nullptr);
        if (is_optional(f))
            walk(f.body ? s.tokens[f.body].partner : f.name, &f);
        i = std::max(i, f.name + 1);
    }
    walk(s.tokens.size(), nullptr);
    while (!open.empty()) {
        std::string_view name = open.back();
        open.pop_back();
        for (std::string_view other : uses[name])
            use(other);
    }
}

void Judge::launch(const Function &f, size_t i)
{
    std::vector<const Function *> launched = callees(f, i);
    int sides = sides_of(launched);

    if (is(s, i - 1, "::"))
        for (const Body &b : bodies)
            if (b.of == text(i - 2) && !b.of.empty() && is(s, b.name, text(i)) &&
                b.side != kernel_side)
                error(i, "launch of '" + std::string(b.of) + "::" + std::string(text(i)) +
                             "', which is no kernel, but a member of a class; write a __global__ "
                             "function outside of the class");
    if (!sides || (sides & kernel_side) || !is_certain(f))
        return;
    misplaced.insert(text(i));
    std::string where = sides == device_side ? "instead of __device__ in the declaration"
                      : sides == both_sides  ? "instead of __host__ __device__ in the declaration"
                                             : "before its declaration";
    error(i, "launch of " + quoted(i) + ", which is no kernel; write __global__ " +
                 place(i, launched, where));
}

// A kernel cannot run a lambda of the host. i: the <<< of a launch
void Judge::lambda_arguments(size_t i)
{
    while (!is_any(s, i, { ";", "{", "}" }) && s.tokens[i].kind != Token::end &&
           !(is(s, i, "(") && is(s, i - 1, ">") && is(s, i - 2, ">") && is(s, i - 3, ">")))
        i = std::max(i, is(s, i, "(") ? s.tokens[i].partner : i) + 1;
    size_t end = is(s, i, "(") ? s.tokens[i].partner : i;
    for (i++; i < end; i = std::max(i, s.tokens[i].partner) + 1)
        if (is(s, i, "[") && is_any(s, i - 1, { "(", "," }) && !marked_lambda_body(s, i))
            error(i, "the kernel gets a lambda of the host; write __device__ after its []");
}

// Is this a call of a function of the C library that nvcc refuses? It computes strlen("text").
bool Judge::is_of_library(const Function &f, size_t i) const
{
    bool is_known = runtime_only.count(text(i)) ||
                    (host_only.count(text(i)) && !functions.named.count(text(i)) &&
                     !functions.ambiguous.count(text(i)));

    return is_known && is_in_namespaces(i, true) &&
           !is_local_name(s, { f.first, f.name, f.body }, text(i)) &&
           !(is(s, i, "strlen") && s.tokens[i + 2].kind == Token::string);
}

// A call at i in device code.
void Judge::device_call(const Function &f, size_t i)
{
    bool is_library = is_of_library(f, i);
    std::vector<const Function *> called;

    if (sides_of_name(i) & host_side)
        called = callees(f, i);
    if (!is_library && (sides_of(called) != host_side || is_in_libraries(text(i))))
        return;
    if (!is_certain(f))
        return;
    if (!is_library)
        misplaced.insert(text(i));
    std::string fix = runtime_only.count(text(i)) ? " of the CUDA runtime; call it in host code"
                    : is_library ? " of the C library; write a __device__ function in its place"
                                 : place(i, called,
                                         "; write __device__ or __host__ __device__ before "
                                         "its declaration");
    error(i, caller(f) + " calls " + quoted(i) + ", which is a host function" + fix);
}

// A call at i in code for the host.
void Judge::host_call(const Function &f, size_t i)
{
    if (!(sides_of_name(i) & device_side))
        return;
    std::vector<const Function *> called = callees(f, i);
    if (sides_of(called) == device_side && !is_in_libraries(text(i)) && is_certain(f))
        error(i, caller(f) + " calls " + quoted(i) +
                     ", which is a __device__ function; write __host__ before " +
                     place(i, called, "its declaration"));
}

void Judge::call_of_kernel(const Function &f, size_t i)
{
    if (is(s, i + 1, "<") && is(s, i + 2, "<"))   // k<<g, b>>(a), which facts.cpp refuses
        return;
    if ((sides_of_name(i) & kernel_side) && sides_of(callees(f, i)) == kernel_side &&
        !is_in_libraries(text(i)) && is_certain(f))
        error(i, "call of the kernel " + quoted(i) + " without a launch configuration; write " +
                     std::string(text(i)) + "<<<blocks, threads>>>(...)");
}

// Members of classes that are __device__ variables.
void Judge::member_variables()
{
    for (size_t i = 1; i < s.tokens.size(); i++) {
        if (!is_any(s, i, { "__device__", "__constant__", "__managed__" }) || !is_in_class(s, i) ||
            is_of_device(s, i))
            continue;
        size_t end = statement_start(s, i);
        while (!is_any(s, end, { ";", "(", "=", "{", "[", "operator" }) &&
               s.tokens[end].kind != Token::end)
            end++;
        if (is_any(s, end, { ";", "=", "{", "[" }) && end > i + 1)
            error(i, "a member of a class cannot be a " + std::string(text(i)) +
                         " variable; declare " + quoted(end - 1) + " outside of the class");
    }
}

// What g++ accepts as a constant initializer of a device variable, and nvcc does not: functions of
// math.h, and the addresses of host functions.
void Judge::initializer(const DeviceVariable &v)
{
    for (size_t i = v.name + 1; i < v.end; i++) {
        std::string_view name = text(i), stem = name.substr(0, name.size() - (name.back() == 'f'));

        if (is_any(s, i, { "sizeof", "decltype", "alignof" }))
            i = std::max(i, s.tokens[i + 1].partner);
        else if (is(s, i + 1, "(") && !functions.named.count(name) &&
                 (no_constants.count(name) || no_constants.count(stem) ||
                  name.compare(0, 5, "make_") == 0) &&
                 !(is(s, i - 1, "::") && is_any(s, i, { "max", "min" })))
            return error(v.name, dynamic_initialization(v.space, text(v.name)));
        else if (!call_open(s, i) && sides_of_name(i) == host_side &&
                 !functions.ambiguous.count(name))
            error(i,
                  std::string(v.space) + " variable " + quoted(v.name) + " has the address of " +
                      quoted(i) + ", which is a host function; write __device__ before " +
                      place(i, { &functions.all[functions.named.at(name)[0]] }, "its declaration"));
    }
}

// Without -rdc=true, nvcc refuses inline variables that other files may share. The statement of the
// word `inline` at i declares one if it is no function, and if neither `static` nor a namespace
// without a name makes it the file's own.
void Judge::inline_variable(size_t i)
{
    size_t end = statement_start(s, i), space = 0;
    bool is_own = is_in_namespace(s, i, "namespace");

    for (; !is_any(s, end, { ";", "=", "{" }) && s.tokens[end].kind != Token::end; end++) {
        bool is_skipped = (is(s, end, "(") && is_attribute(s, end - 1)) ||
                          (is(s, end, "[") && is(s, end + 1, "["));   // [[attribute]]

        if (is_skipped)
            end = s.tokens[end].partner;
        else if (is(s, end, "<") && angle_close(s, end))
            end = angle_close(s, end);
        else if (is(s, end, "["))   // an array
            break;
        else if (is_any(s, end, { "(", "operator" }))
            return;
        is_own |= is(s, end, "static");
        if (is_any(s, end, { "__device__", "__constant__", "__managed__" }))
            space = end;
    }
    if (space && !is_own && !is_in_class(s, i))
        error(end - 1, "nvcc needs -rdc=true for the inline " + std::string(text(space)) +
                           " variable " + quoted(end - 1) + "; write static before inline");
}

void Judge::judge()
{
    std::vector<std::pair<const Function *, std::vector<size_t>>> judged;

    member_variables();
    if (!mentions(s, "__NVCC__"))
        for (const DeviceVariable &v : device_variables(s))
            initializer(v);
    for (size_t i = 1; i < s.tokens.size() && !options.separate; i++)
        if (is(s, i, "inline"))
            inline_variable(i);
    for (const Function &f : functions.all) {
        std::string type = f.side == kernel_side ? wrong_type(s, f) : "";
        if (!type.empty())
            error(f.start, "kernel " + quoted(f.name) + " returns " + type +
                               "; write void, and store the result in an array");
        if (is_judged(f))
            judged.push_back({ &f, calls_in(s, f.body) });
    }
    for (const Body &b : bodies)
        if (b.side == kernel_side && !b.of.empty())
            error(b.name, "kernel " + quoted(b.name) + " is a member of '" + std::string(b.of) +
                              "'; write it outside of the class");
    for (auto &[f, calls] : judged)
        for (size_t i : calls) {
            if (errors.size() >= MOST_FOUND)
                return;
            if (is(s, call_open(s, i), "<<<")) {
                launch(*f, i);
                lambda_arguments(call_open(s, i));
            } else if (f->side == kernel_side || f->side == device_side)
                device_call(*f, i);
        }
    for (auto &[f, calls] : judged)
        for (size_t i : calls) {
            if (is(s, call_open(s, i), "<<<"))
                continue;
            call_of_kernel(*f, i);
            bool is_host = f->side == host_side || (f->side == both_sides && !f->is_template);
            if (is_host && !misplaced.count(text(f->name)))
                host_call(*f, i);
        }
}

// Prints the errors in the order of the source, as g++ does, each once.
int Judge::print()
{
    std::set<std::string> printed;

    std::sort(errors.begin(), errors.end(),
              [](const Error &a, const Error &b) { return a.token < b.token; });
    for (const Error &e : errors) {
        const Token &t = s.tokens[e.token];
        std::string line = s.files[t.file] + ":" + std::to_string(t.line) + ": error: " + e.text;
        if (printed.size() < MOST_PRINTED && printed.insert(line).second)
            fprintf(stderr, "%s\n", line.c_str());
    }
    return (int)printed.size();
}

}   // namespace

int report_sides(const Source &s, bool is_one_view, NvccOptions options)
{
    Judge judge(s, is_one_view, options);

    judge.judge();
    return judge.print();
}
