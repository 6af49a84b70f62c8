// The source pass: reads CUDA C++ after `g++ -E` and writes C++ for g++. It rewrites what macros
// cannot:
//
//   k<<<grid, block, bytes, stream>>>(args)   emu_launch("k", k, grid, block, bytes, stream)(args)
//   __shared__ float a[4], b;                 references to this block's copies
//   extern __shared__ float s[];              a reference to the launch's dynamic shared memory
//   __shared__ float a[4]; (file scope)       a function that returns such a reference
//   __device__ int n; __constant__ float w;   variables in sections of their own
//   n, w (in host code)                       emu_host_copy(n): another address than in kernels
//   threadIdx, blockDim.x ...                 calls, except where they are local names
//   #pragma unroll                            #pragma GCC unroll N
//   asm("mov.u32 ..." : outputs : inputs)     a call of the interpreter of PTX (ptx.h)
//
// It also writes a table of all subscripts, from which the runtime takes the name of the array for
// an index that is out of bounds. White space, line markers and system headers stay unchanged, and
// what follows rewritten text is moved back to its line and column. So messages of g++ show the
// place in the source. Usage: source_pass FILE.i [COMMAND...] > FILE.ii. The command preprocesses
// the source for a GPU, with __CUDA_ARCH__ (views.cpp). For a source that it cannot handle, it
// prints one line on stderr and exits with status 1; so for a program that nvcc refuses because of
// calls on the wrong side, with a line per error (sides.cpp).
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "called.h"
#include "compile.h"
#include "device_code.h"
#include "facts.h"
#include "run.h"
#include "sides.h"
#include "symbols.h"
#include "syntax.h"
#include "unroll.h"
#include "values.h"
#include "views.h"

namespace {

using Words = std::vector<size_t>;   // indices of tokens

// One variable of a __shared__ declaration.
struct Declarator {
    std::string align;   // "": the alignment of the type
    bool is_extern, is_file_scope;
    size_t stars, name;   // positions in its words
};

struct Rewriter {
    const Source &s;
    const Facts facts;
    const std::vector<Body> bodies;
    const std::map<size_t, size_t> uses;   // of device variables in host code
    std::string out;
    std::string subscripts;   // entries of the table emu_subscripts

    std::vector<bool> is_device;   // per token: in a function with __device__ or __global__

    explicit Rewriter(const Source &source)
        : s(source), facts(find_facts(source)), bodies(find_bodies(source)),
          uses(host_uses(source, bodies)), is_device(source.tokens.size())
    {
        for (const DeviceFunction &f :
             device_functions(s))   // with the members that it initializes
            std::fill(is_device.begin() + (long)f.word, is_device.begin() + (long)f.end, true);
    }

    size_t column() const;
    void align(size_t i);
    void raw(size_t i);
    void blank(size_t i);
    void blanks(size_t from, size_t to);
    void note_subscript(size_t i);
    size_t allocation(size_t i);
    size_t bare(size_t i);
    size_t with_argument(size_t i, const char *before, const char *behind);
    void tokens(size_t from, size_t to);
    void shared_variable(const Declarator &, const Words &, const std::string &base);
    size_t shared(size_t start, size_t end);
    size_t launch(size_t i, const LaunchSite &);
    size_t kernel_argument(size_t i);
    bool is_statement(size_t i) const;
    size_t dropped_result(size_t i);
    size_t index_component(size_t i, const char *function);
    void line_marker(size_t i);
    size_t ptx_call(size_t i, size_t open);
    size_t ptx(size_t i);
    std::string section_attribute(size_t i, const char *section);
    std::string space_word(size_t i);
    std::string word(size_t i);
};

// The source text of words[from..to) on one line.
std::string contents_of(const Source &s, const Words &words, size_t from, size_t to)
{
    std::string text;

    for (size_t i = from; i < to; i++) {
        const Token &t = s.tokens[words[i]];
        bool joins = i > from && words[i] == words[i - 1] + 1 && t.blank.empty();
        text += (text.empty() || joins ? "" : " ") + std::string(t.text);
    }
    return text;
}

std::string plain(const Source &s, size_t from, size_t to)
{
    Words words;

    for (size_t i = from; i < to; i++)
        words.push_back(i);
    return contents_of(s, words, 0, words.size());
}

std::string as_string(const std::string &text)
{
    std::string quoted = "\"";

    for (char c : text)
        quoted += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
    return quoted + "\"";
}

size_t Rewriter::column() const { return out.size() - line_start(out, out.size()); }

// Continues at the column of token i; on another line of the output, with a line marker, if the
// text before it has become longer.
void Rewriter::align(size_t i)
{
    const Token &t = s.tokens[i];
    size_t wanted = t.column, here = column();
    bool would_join = !out.empty() && isalnum((unsigned char)out.back()) && !t.blank.empty();

    if (t.kind == Token::foreign || t.kind == Token::end)
        return;
    if (here > wanted || (here == wanted && would_join)) {
        out += "\n# " + std::to_string(t.line) + " " + as_string(s.files[t.file]) + "\n";
        here = 0;
    }
    out.append(wanted - here, ' ');
}

// Writes token i unchanged, at its place.
void Rewriter::raw(size_t i)
{
    align(i);
    out += s.tokens[i].text;
}

void Rewriter::blank(size_t i)
{
    std::string_view text = s.tokens[i].blank;

    while (!text.empty()) {
        size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        out += rewritten_pragma(s, i, text.substr(0, end));
        text.remove_prefix(end);
    }
}

void Rewriter::blanks(size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        blank(i);
}

// ---- shared memory ----

// The tokens of the declaration without storage classes and alignment, which are stored in `d`.
Words declaration_words(const Source &s, size_t start, size_t end, Declarator &d)
{
    Words words;

    for (size_t k = start; k < end; k++) {
        if (is(s, k, "extern"))
            d.is_extern = true;
        else if (is(s, k, "alignas") || is(s, k, "__align__")) {
            d.align = plain(s, k + 2, s.tokens[k + 1].partner);
            k = s.tokens[k + 1].partner;
        } else if (is(s, k, "="))
            fail(s, k, "a __shared__ variable cannot have an initializer");
        else if (!is(s, k, "__shared__") && !is(s, k, "static") && !is(s, k, "__device__"))
            words.push_back(k);
    }
    return words;
}

// Splits a declaration at the commas that separate declarators.
std::vector<Words> declarators(const Source &s, const Words &words)
{
    std::vector<Words> parts(1);
    size_t inside = 0;   // the closing bracket of the current group
    int angles = 0;

    for (size_t k : words) {
        if (k >= inside) {
            inside = std::max(k, s.tokens[k].partner);
            angles += is(s, k, "<") - is(s, k, ">");
        }
        if (k >= inside && angles == 0 && is(s, k, ","))
            parts.emplace_back();
        else
            parts.back().push_back(k);
    }
    return parts;
}

// Declares one variable: a reference to this block's copy; at file scope, a function that returns
// it. The tokens of the declarator keep their places; `base` is the text of a type that is
// repeated.
void Rewriter::shared_variable(const Declarator &d, const Words &part, const std::string &base)
{
    const Token &name = s.tokens[part[d.name]];
    std::string text(name.text), key = "emu_var_" + text + "_" + std::to_string(name.line), place;
    bool is_array = d.name + 1 < part.size();

    out += "static const emu_variable " + key + " = { \"" + text + "\" }; ";
    place = d.is_extern ? "emu_dynamic_shared_memory{ &" + key + " }"
                        : "emu_shared_of_constant_size{ &" + key + ", (" +
                              (d.align.empty() ? "0" : d.align) + ") }";
    if (d.is_file_scope)
        out += "static inline ";
    out += base;
    for (size_t i = 0; i < d.name; i++)
        raw(part[i]);
    out += is_array ? " (&" : " &";
    if (d.is_file_scope)
        out += "emu_at_" + text + "()";
    else
        raw(part[d.name]);
    out += is_array ? ")" : "";
    for (size_t i = d.name + 1; i < part.size(); i++)
        raw(part[i]);
    out += d.is_file_scope ? " { return " + place + "; } " : " = " + place + "; ";
}

// Rewrites a statement with __shared__. Returns the position after it.
size_t Rewriter::shared(size_t start, size_t end)
{
    Declarator d = { "", false, is_at_file_scope(s, start), 0, 0 };
    std::string base;

    blank(start);
    for (const Words &part : declarators(s, declaration_words(s, start, end, d))) {
        d.name = part.size();
        while (d.name > 0 && is(s, part[d.name - 1], "]"))
            d.name = std::find(part.begin(), part.end(), s.tokens[part[d.name - 1]].partner) -
                     part.begin();
        if (d.name == 0 || s.tokens[part[--d.name]].kind != Token::word)
            fail(s, start, "cannot parse this __shared__ declaration");
        for (d.stars = d.name; d.stars > 0 && is(s, part[d.stars - 1], "*"); d.stars--)
            ;
        if (base.empty() && d.stars == 0)
            fail(s, start, "cannot parse this __shared__ declaration");
        shared_variable(d, part, base);
        if (base.empty())
            base = contents_of(s, part, 0, d.stars) + " ";
    }
    raw(end);   // the semicolon
    return end + 1;
}

// ---- launches ----

// Writes the kernel expression at i and its configuration. Returns the position after them.
size_t Rewriter::launch(size_t i, const LaunchSite &site)
{
    std::string kernel = plain(s, i, site.open);

    if (site.open + 1 == site.close)
        refuse(s, i, "a launch has a grid and a block: " + kernel + "<<<blocks, threads>>>(...)");
    blank(i);
    out += "emu_launch(" + as_string(kernel) + ", ";
    if (site.ambiguous)
        out += "emu_select([](auto... emu_arguments) { ";
    for (size_t k = bare(i); k < site.open;) {
        blank(k);
        k = bare(k);
    }
    if (site.ambiguous)
        out += "(emu_arguments...); }, [](auto... emu_types) -> "
               "decltype(static_cast<void (*)(typename decltype(emu_types)::type...)>(" +
               kernel + ")) { return " + kernel + "; })";
    out += ", ";
    blank(site.open);
    tokens(site.open + 1, site.close);
    blanks(site.close, site.close + 3);
    out += ")";
    return site.close + 3;
}

// Rewrites the call of cudaLaunchKernel((void *)kernel, ...) or its cooperative variant at i:
// without the cast, so that the kernel's type is known, and with its name.
size_t Rewriter::kernel_argument(size_t i)
{
    size_t open = i + 1, first = open + 1;

    if (!is(s, open, "(")) {
        out += s.tokens[i].text;
        return open;
    }
    size_t close = is(s, first, "(") ? s.tokens[first].partner : 0;
    if (close && is(s, close - 1, "*") && is(s, close - 2, "void"))
        first = close + 1;
    size_t end = first;
    while (end < s.tokens[open].partner && !is(s, end, ","))
        end = std::max(end + 1, s.tokens[end].partner);
    out += "emu_" + std::string(s.tokens[i].text);
    blank(open);
    out += "(" + as_string(plain(s, first, end)) + ",";
    blanks(open + 1, first);
    return first;
}

// ---- inline PTX ----

// The contents of adjacent strings, as written: with their escapes.
std::string contents(const Source &s, size_t from, size_t to)
{
    std::string all;

    for (size_t i = from; i < to && s.tokens[i].kind == Token::string; i++) {
        std::string_view text = s.tokens[i].text;
        bool is_raw = text[0] != '"' && text.find('R') < text.find('"');
        size_t open = text.find(is_raw ? '(' : '"'), close = text.rfind(is_raw ? ')' : '"');

        if (open != text.npos && close > open)
            all += text.substr(open + 1, close - open - 1);
    }
    return all;
}

// Removes white space and comments from the start of a text of PTX.
std::string_view without_comments(std::string_view text)
{
    for (bool again = true; again && !text.empty();) {
        std::string_view two = text.substr(0, 2);

        again = true;
        if (two == "\\n" || two == "\\t")
            text.remove_prefix(2);
        else if (isspace((unsigned char)text[0]))
            text.remove_prefix(1);
        else if (two == "//")
            text.remove_prefix(std::min({ text.find("\\n"), text.find('\n'), text.size() }));
        else if (two == "/*")
            text.remove_prefix(std::min(text.find("*/") + 2, text.size()));
        else
            again = false;
    }
    return text;
}

// Whether a text is PTX: its first instruction has a type or another suffix, as mov.u32, a
// predicate, a label, a block, or no operands. Assembly for the host has none of these.
bool is_ptx(const std::string &all)
{
    std::string_view text = without_comments(all),
                     first = text.substr(0, text.find_first_of(" \t\n;\\:"));
    size_t dot = first.find('.');

    if (first.empty())
        return false;
    if (text.substr(first.size(), 1) == ":" && text.substr(first.size(), 2) != "::")
        return is_ptx(std::string(text.substr(first.size() + 1)));
    return first[0] == '{' || first[0] == '@' || first == "trap" || first == "exit" ||
           first == "brkpt" || first == ".reg" || (dot != 0 && dot != first.npos);
}

// The operands of an asm statement: constraint, and the tokens of the expression.
struct AsmOperand {
    char constraint, access;   // access: = or + of an output, else a blank
    size_t from, to;
};

// Reads the operands between two colons, from token i on. Returns the position after them.
size_t read_operands(const Source &s, size_t i, bool are_outputs, std::vector<AsmOperand> &all)
{
    while (s.tokens[i].kind == Token::string || is(s, i, ",")) {
        if (is(s, i, ",")) {
            i++;
            continue;
        }
        size_t open = i;
        while (s.tokens[open].kind == Token::string)
            open++;
        std::string constraint = contents(s, i, open);
        char letter = constraint.empty() ? ' ' : constraint.back(),
             access = are_outputs && constraint.size() > 1 ? constraint[0] : ' ';
        if (!is(s, open, "(") || !strchr(are_outputs ? "hrlfd" : "hrlfdn", letter))
            fail(s, i, "the CPU device does not know the constraint \"" + constraint + "\"");
        all.push_back({ letter, access, open, s.tokens[open].partner + 1 });
        i = s.tokens[open].partner + 1;
    }
    return i;
}

// Instructions that kernels execute so often that a statement with one of them alone becomes a call
// of a function of include/emu_ptx.h.
const std::pair<const char *, const char *> inlined[] = {
    { "dp4a.u32.u32", "emu_dot<emu_u8, emu_u8, 4>" },
    { "dp4a.u32.s32", "emu_dot<emu_u8, emu_s8, 4>" },
    { "dp4a.s32.u32", "emu_dot<emu_s8, emu_u8, 4>" },
    { "dp4a.s32.s32", "emu_dot<emu_s8, emu_s8, 4>" },
    { "cvt.pack.sat.u8.s32.b32", "emu_pack_bytes<emu_u8>" },
    { "cvt.pack.sat.s8.s32.b32", "emu_pack_bytes<emu_s8>" },
};

// If the text is one of these instructions with operands that are all %0, %1 ..., the assignment of
// its result; else "".
std::string inlined_call(std::string_view text)
{
    text = without_comments(text);
    for (auto &[name, function] : inlined) {
        size_t at = std::string_view(name).size();
        std::vector<std::string> operands;

        if (text.substr(0, at) != name)
            continue;
        while (at < text.size() && (isdigit((unsigned char)text[at]) || strchr(" ,%", text[at]))) {
            if (text[at++] != '%')
                continue;
            size_t end = at;
            while (end < text.size() && isdigit((unsigned char)text[end]))
                end++;
            operands.push_back("emu_slots.slot[" + std::string(text.substr(at, end - at)) + "]");
            at = end;
        }
        if (at >= text.size() || text[at] != ';' || operands.size() != 4 ||
            !without_comments(text.substr(at + 1)).empty())
            return "";
        return operands[0] + " = " + function + "((unsigned)" + operands[1] + ", (unsigned)" +
               operands[2] + ", (unsigned)" + operands[3] + "); ";
    }
    return "";
}

// What goes before and after the call for an asm statement.
struct AsmCall {
    std::string constraints, loads, stores;
};

// by_address: the slots of outputs have their addresses.
AsmCall asm_call(const std::vector<AsmOperand> &operands, bool by_address)
{
    AsmCall c;

    for (size_t k = 0; k < operands.size(); k++) {
        const AsmOperand &o = operands[k];
        std::string n = std::to_string(k), slot = "emu_slots.slot[" + n + "]";
        std::string type = "<'" + std::string(1, o.constraint) + "'>";

        c.constraints += k ? " " : "";
        c.constraints += o.access == ' ' ? "" : by_address ? "*" : "=";
        c.constraints += o.constraint;
        if (o.access == ' ')
            continue;
        c.loads += slot + " = ";
        c.loads += by_address      ? "(uint64_t)&emu_out" + n
                 : o.access == '+' ? "emu_ptx_in" + type + "(emu_out" + n + ")"
                                   : "0";
        c.loads += "; ";
        if (!by_address)
            c.stores += "emu_ptx_out" + type + "(emu_out" + n + ", " + slot + "); ";
    }
    return c;
}

// All operands between token i, after the text, and the closing bracket.
std::vector<AsmOperand> asm_operands(const Source &s, size_t i, size_t close)
{
    std::vector<AsmOperand> operands;

    for (int section = 0; i < close && section < 3;) {
        section += is(s, i, "::") ? 2 : 1;
        i++;
        if (section < 3)
            i = read_operands(s, i, section == 1, operands);
    }
    return operands;
}

void Rewriter::line_marker(size_t i)
{
    out += "\n# " + std::to_string(s.tokens[i].line) + " " + as_string(s.files[s.tokens[i].file]) +
           "\n";
}

// Writes the call for an asm statement at i with PTX, whose operands are in the bracket at `open`.
size_t Rewriter::ptx_call(size_t i, size_t open)
{
    size_t close = s.tokens[open].partner, text_end = open + 1;

    while (s.tokens[text_end].kind == Token::string)
        text_end++;
    std::vector<AsmOperand> operands = asm_operands(s, text_end, close);
    std::string text = contents(s, open + 1, text_end), run = inlined_call(text);
    AsmCall c = asm_call(operands, text.find("wgmma.mma_async") != text.npos);
    static const size_t sizes[] = { 4, 8, 16, 32, 64, 272 };
    size_t size = *std::find_if(sizes, sizes + 5, [&](size_t n) { return operands.size() <= n; });
    if (operands.size() > size)
        fail(s, i, "an asm statement with more than 272 operands");

    blanks(i + 1, open + 1);
    out += "({ ";
    if (run.empty()) {
        run = "emu_slots = emu_ptx_run_" + std::to_string(size) + "(&emu_statement, emu_slots); ";
        out += "static const emu_ptx_statement emu_statement{ ";
        tokens(open + 1, text_end);
        out += ", \"" + c.constraints + "\" }; ";
    } else
        blanks(open + 1, text_end);
    out += "emu_ptx_slots<" + std::to_string(size) + "> emu_slots __attribute__((uninitialized)); ";
    for (size_t k = 0; k < operands.size(); k++) {
        const AsmOperand &o = operands[k];

        out += o.access != ' ' ? "auto &emu_out" + std::to_string(k) + " = "
                               : "emu_slots.slot[" + std::to_string(k) + "] = emu_ptx_in<'" +
                                     std::string(1, o.constraint) + "'>";
        tokens(o.from, o.to);
        out += "; ";
    }
    out += c.loads;
    line_marker(i);
    out += run + c.stores + "})";
    if (s.tokens[close].line != s.tokens[i].line)
        line_marker(close);
    return close + 1;
}

// Replaces the asm statement at i if it is PTX, or if it is empty and has operands with constraints
// of PTX. Returns the position after it; i if it is not replaced.
size_t Rewriter::ptx(size_t i)
{
    size_t open = i + 1;

    while (is_any(s, open, { "volatile", "__volatile__", "__volatile", "inline" }))
        open++;
    if (!is(s, open, "(") || s.tokens[open + 1].kind != Token::string)
        return i;
    std::string text = contents(s, open + 1, s.tokens[open].partner);
    if (is_ptx(text))
        return ptx_call(i, open);
    size_t at = open + 2, close = s.tokens[open].partner;
    if (!without_comments(text).empty())
        return i;
    while (at < close && !(s.tokens[at].kind == Token::string && is(s, at + 1, "(") &&
                           strchr("hlfd", s.tokens[at].text[s.tokens[at].text.size() - 2])))
        at++;
    if (at >= close)
        return i;
    out += "asm volatile(\"\" ::: \"memory\")";
    blanks(i + 1, close + 1);
    return close + 1;
}

// ---- words ----

// The attribute of the variable whose word __device__, __constant__ or __managed__ is at i. The
// linker merges templates and inline variables of several files: they have sections of their own
// (symbols.cpp). It does not merge `static` ones, specializations (template <>), and those of a
// namespace without a name; g++ 14 refuses a section that has both kinds.
std::string Rewriter::section_attribute(size_t i, const char *section)
{
    size_t first = statement_start(s, i);
    bool is_merged = is(s, first, "template"), is_single = is_merged && is(s, first + 2, ">");

    for (size_t k = first; k < i || !is_any(s, k, { "=", ";", "{", "(", "[" }); k++) {
        is_merged |= is(s, k, "inline");
        is_single |= is(s, k, "static");
    }
    for (size_t open = s.tokens[i].parent; open; open = s.tokens[open].parent)
        is_single |= is(s, open - 1, "namespace");
    return std::string("__attribute__((section(\"") + section +
           (is_merged && !is_single ? "_merged" : "") + "\")))";
}

// The replacement of __device__, __constant__ or __managed__ at i.
std::string Rewriter::space_word(size_t i)
{
    switch (space_of(s, i)) {
    case Space::device: return section_attribute(i, "emu_device");
    case Space::constant: return section_attribute(i, "emu_constant");
    case Space::managed: return section_attribute(i, "emu_managed");
    case Space::none: return "";
    case Space::function: break;
    }
    size_t name = function_name(s, i);
    // Other device functions are always inlined, so that code addresses follow the kernel's text:
    // the warp scheduler orders lanes by them.
    bool is_called = name && (facts.recursive.count(s.tokens[name].text) ||
                              facts.outside.count(s.tokens[name].text));
    return is_called ? "__attribute__((noinline))" : "__attribute__((always_inline))";
}

// The replacement of a word.
std::string Rewriter::word(size_t i)
{
    static const std::map<std::string_view, const char *> words = {
        // The instructions before a kernel are how the runtime knows one (grid.cpp).
        { "__global__", "__attribute__((noinline, patchable_function_entry(16, 16)))" },
        { "__host__", "" },
        { "__noinline__", "" },
        { "__forceinline__", "inline" },
        { "__grid_constant__", "" },
        { "clock", "emu_clock" },
        { "memcpy", "emu_memcpy" },
        { "memmove", "emu_memmove" },
        { "memset", "emu_memset" },
    };
    std::string_view text = s.tokens[i].text;

    if (text == "__device__" || text == "__constant__" || text == "__managed__")
        return space_word(i);
    if (facts.file_shared.count(text) && is_builtin_name(s, facts, i))
        return "emu_at_" + std::string(text) + "()";
    if (facts.null_arguments.count(i))
        return "nullptr";
    auto found = words.find(text);
    if ((text == "clock" && !is_builtin_call(s, i)) ||
        (text.substr(0, 3) == "mem" && !is_library_call(s, i)))
        return std::string(text);
    return found == words.end() ? std::string(text) : found->second;
}

// Writes `before`, the parenthesized argument after token i, and `behind`. Returns the position
// after it.
size_t Rewriter::with_argument(size_t i, const char *before, const char *behind)
{
    size_t close = s.tokens[i + 1].partner;

    out += before;
    tokens(i + 1, close + 1);
    out += behind;
    return close + 1;
}

// Records the array whose subscript ends with the bracket at i, which is written next.
void Rewriter::note_subscript(size_t i)
{
    size_t array = s.tokens[i].partner - 1;
    bool is_row = is(s, array, "]"),
         is_flat = is_row && is(s, array - 1, "0") && is(s, array - 2, "[");

    while (is(s, array, "]"))
        array = s.tokens[array].partner - 1;
    if (s.tokens[array].kind == Token::word)
        subscripts += " { " + as_string(s.files[s.tokens[i].file]) + ", " +
                      std::to_string(s.tokens[i].line) + ", " + std::to_string(column() + 1) +
                      ", \"" + std::string(s.tokens[array].text) + "\", " +
                      (is_row ? "true" : "false") + ", " + (is_flat ? "true" : "false") + " },";
}

// Is the call at i a statement, so that its result is not used?
bool Rewriter::is_statement(size_t i) const
{
    size_t before = i - 1, open = s.tokens[before].partner;

    if (!is(s, i + 1, "(") || !is(s, s.tokens[i + 1].partner + 1, ";") ||
        !is(s, s.tokens[i].parent, "{"))
        return false;
    if (is(s, before, ")"))
        return is_any(s, open - 1, { "if", "for", "while" }) ||
               (is(s, open + 1, "void") && open + 2 == before);
    return is_any(s, before, { ";", "{", "}", "else", "do" });
}

// Marks a call whose result is not used, if that matters. Returns the position after it; i if
// nothing is to be marked.
size_t Rewriter::dropped_result(size_t i)
{
    static const char *const refusable[] = { "cudaMemcpy", "cudaMemset",           "cudaMalloc",
                                             "cudaFree",   "cudaFuncSetAttribute", "cudaHost" };
    std::string_view name = s.tokens[i].text;
    auto starts = [&](std::string_view with) { return name.substr(0, with.size()) == with; };
    bool is_exchange = starts("atomicExch"),
         is_host = std::any_of(std::begin(refusable), std::end(refusable), starts);

    if ((!is_exchange && !is_host) || !is_statement(i))
        return i;
    size_t after = s.tokens[i + 1].partner + 1;
    out += is_exchange ? "emu_drops_result(), " : "emu_begin_call(), ";
    align(i);
    out += word(i);
    tokens(i + 1, after);
    if (is_host)
        out += ", emu_drop_result(\"" + std::string(name) + "\")";
    return after;
}

// The function that returns the index name `text` as a vector; null for another word.
const char *index_function(std::string_view text)
{
    return text == "threadIdx" ? "emu_thread_index"
         : text == "blockIdx"  ? "emu_block_index"
         : text == "blockDim"  ? "emu_block_dim"
         : text == "gridDim"   ? "emu_grid_dim"
                               : nullptr;
}

// Writes threadIdx.x as a call that returns a number: g++ calls such a function once, but a
// function that returns a struct each time, and then the addresses that it computes differ. Returns
// the position after it; i if there is no component.
size_t Rewriter::index_component(size_t i, const char *function)
{
    if (!is(s, i + 1, ".") || (!is(s, i + 2, "x") && !is(s, i + 2, "y") && !is(s, i + 2, "z")))
        return i;
    blanks(i + 1, i + 3);
    out += std::string("(") + function + "_" + std::string(s.tokens[i + 2].text) + "())";
    return i + 3;
}

// Writes malloc, free, new and delete of device code, which use the device's memory
// (cuda_runtime.h). Returns the position after them; i for another word.
size_t Rewriter::allocation(size_t i)
{
    if (is_any(s, i, { "malloc", "free" }) && is(s, i + 1, "(") && is_library_call(s, i)) {
        out += "emu_" + std::string(s.tokens[i].text);
        return i + 1;
    }
    if (is(s, i, "new") && !is(s, i - 1, "operator") && !is(s, i + 1, "(")) {
        out += "new (emu_device_heap())";
        return i + 1;
    }
    if (is(s, i, "delete") && !is_any(s, i - 1, { "operator", "=" })) {   // = delete
        bool is_array = is(s, i + 1, "[");
        out += is_array ? "emu_delete_array() %=" : "emu_delete() %=";
        return is_array ? i + 3 : i + 1;
    }
    return i;
}

// Writes the construct that starts at token i, without the text before it. Returns the position
// after it.
size_t Rewriter::bare(size_t i)
{
    align(i);
    const char *index = index_function(s.tokens[i].text);

    if (index && is_builtin_name(s, facts, i)) {
        size_t after = index_component(i, index);
        if (after == i)
            out += std::string("(") + index + "())";
        return std::max(after, i + 1);
    }
    if (is(s, i, "]"))
        note_subscript(i);
    if (size_t after = dropped_result(i); after > i)
        return after;
    if (is(s, i, "cudaLaunchKernel") || is(s, i, "cudaLaunchCooperativeKernel"))
        return kernel_argument(i);
    if (is_any(s, i, { "asm", "__asm__", "__asm" })) {
        size_t after = ptx(i);
        if (after > i)
            return after;
    }
    if (is_any(s, i, { "__launch_bounds__", "__cluster_dims__" }) && is(s, i + 1, "(")) {
        blanks(i + 1, s.tokens[i + 1].partner + 1);
        return s.tokens[i + 1].partner + 1;
    }
    if (is(s, i, "__align__") && is(s, i + 1, "("))
        return with_argument(i, "__attribute__((aligned", "))");
    if (s.tokens[i].kind == Token::word && is_device[i])
        if (size_t after = allocation(i); after > i)
            return after;
    if (s.tokens[i].kind == Token::word)
        out += word(i);
    else
        out += s.tokens[i].text;
    auto bounds = facts.bounds.find(i);
    if (bounds != facts.bounds.end())
        out += " emu_launch_bounds(" + plain(s, bounds->second.first, bounds->second.second) + ");";
    auto clusters = facts.clusters.find(i);
    if (clusters != facts.clusters.end())
        out +=
            " emu_cluster_dims(" + plain(s, clusters->second.first, clusters->second.second) + ");";
    return i + 1;
}

void Rewriter::tokens(size_t from, size_t to)
{
    while (from < to) {
        auto launched = facts.launches.find(from);
        auto declared = facts.shared.find(from);
        auto used = uses.find(from);

        if (declared != facts.shared.end())
            from = shared(from, declared->second);
        else if (launched != facts.launches.end())
            from = launch(from, launched->second);
        else if (used != uses.end()) {
            blank(from);
            align(from);
            out += "emu_host_copy(" + plain(s, from, used->second + 1) + ")";
            blanks(from + 1, used->second + 1);
            from = used->second + 1;
        } else {
            blank(from);
            from = bare(from);
        }
    }
}

}   // namespace

// Prints the program that the source pass makes of FILE.i.
static int rewrite(const char *path, char **command)
{
    Source host, source;

    on_failure = [&](const Source &s) { return print_syntax_error(s, command); };
    read_source(host, contents_of(path));
    std::string views = both_views(host, command);
    bool is_one_view = views == host.all;
    NvccOptions options = nvcc_options(command);
    read_source(source, views);
    if (report_sides(source, is_one_view, options) > 0)
        return 1;
    Rewriter rewriter(source);
    if (!mentions(source, "__NVCC__"))
        warn_of_host_uses(source, rewriter.bodies, rewriter.uses);
    rewriter.tokens(1, source.tokens.size());
    if (!rewriter.subscripts.empty())
        rewriter.out += "\nstatic const emu_subscript emu_subscripts[] "
                        "__attribute__((used, section(\"emu_subscripts\"))) = {" +
                        rewriter.subscripts + " };\n";
    rewriter.out += device_code(source) + functions_of(source, rewriter.bodies, options);
    fwrite(rewriter.out.data(), 1, rewriter.out.size(), stdout);
    return 0;
}

int main(int argc, char **argv)
{
    bool is_list = argc == 3 && strcmp(argv[1], "--values") == 0,
         compiles = argc > 3 && strcmp(argv[1], "--compile") == 0;
    int status = 0;

    if (argc < 2 || (argv[1][0] == '-' && !is_list && !compiles)) {
        fprintf(stderr,
                "usage: %s FILE.i [COMMAND...] > FILE.ii\n"
                "       %s --compile FILE.ii COMMAND...\n"
                "       %s --values FILE.tree\n",
                argv[0], argv[0], argv[0]);
        return 1;
    }
    if (compiles)
        return compile(argv[2], argv + 3);
    if (is_list)
        print_first_value(contents_of(argv[2]));
    else
        status = rewrite(argv[1], argv + 2);
    return status || fflush(stdout) || ferror(stdout);
}
