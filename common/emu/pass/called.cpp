#include "called.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <sstream>
#include <vector>

#include "bodies.h"
#include "facts.h"
#include "lex.h"
#include "symbols.h"
#include "views.h"

namespace {

constexpr size_t MOST_CALLS = 20;   // errors
const char function_mark[] = "\n// function: ", variable_mark[] = "\n// device variable: ";

struct Position {
    int line, column;
    bool operator<(const Position &p) const
    {
        return line != p.line ? line < p.line : column < p.column;
    }
};

// A function of the source, or a lambda with __host__ or __device__, whose name is "[".
struct Defined {
    std::string file, name;
    Position from, to;   // from the name to the }
    int side;
    bool is_of_any_side;           // constexpr, with an option of nvcc that allows its calls
    std::set<std::string> words;   // names in its statements, if its side is not the host's
};

// A __device__ variable, or the like.
struct Variable {
    std::string file, space, name;
    Position from, to;             // from the name to the end of the initializer
    bool is_initialized = false;   // by a function
};

// A use that nvcc refuses.
struct Use {
    Position at;
    std::string file, name, text;
};

// A function in the list of statements.
struct Listed {
    std::string name;              // with its classes: vec::length
    std::string symbol;            // mangled
    std::string file;              // of its first statement
    Defined *function = nullptr;   // null: of no file of the program
};

struct ResolvedCall {
    size_t caller;   // index in `listed`
    std::string symbol, file;
    Position at;
    bool is_address = false;   // the function is named, and not called
};

struct CallJudge {
    std::vector<Defined> functions;
    std::vector<Listed> listed;
    std::map<std::string, size_t> numbers;   // of `listed`, by symbol
    std::vector<ResolvedCall> calls;
    std::vector<Use> uses;
    std::vector<Variable> variables;
    bool is_std_judged = false;

    void read_functions(const std::string &pass);
    void read_variables(const std::string &pass);
    void read_uses(const std::string &pass);
    Defined *function_at(const std::string &file, Position);
    void read_initialization(const std::string &line, const std::string &file, Position);
    void read_statement(const std::string &line);
    void read_list(const std::string &list);
    const Listed *callee(const ResolvedCall &) const;
    std::string error(const ResolvedCall &);
    std::string error(const Use &);
    std::string error(const Variable &);
};

void CallJudge::read_functions(const std::string &pass)
{
    for (size_t at = 0; (at = pass.find(function_mark, at)) != pass.npos;) {
        Defined f;
        std::istringstream line(
            pass.substr(at + strlen(function_mark), pass.find('\n', at + 1) - at));

        at += strlen(function_mark);
        line >> f.side >> f.is_of_any_side >> f.from.line >> f.from.column >> f.to.line >>
            f.to.column >> f.name;
        if (line.ignore() && std::getline(line, f.file))
            functions.push_back(f);
    }
}

void CallJudge::read_variables(const std::string &pass)
{
    for (size_t at = 0; (at = pass.find(variable_mark, at)) != pass.npos;) {
        Variable v;
        std::istringstream line(
            pass.substr(at + strlen(variable_mark), pass.find('\n', at + 1) - at));

        at += strlen(variable_mark);
        line >> v.from.line >> v.from.column >> v.to.line >> v.to.column >> v.space >> v.name;
        if (line.ignore() && std::getline(line, v.file))
            variables.push_back(v);
    }
}

void CallJudge::read_uses(const std::string &pass)
{
    is_std_judged = pass.find(judges_std_mark) != pass.npos;
    for (size_t at = 0; (at = pass.find(refused_mark, at)) != pass.npos;) {
        Use u;
        std::istringstream line(pass.substr(at + strlen(refused_mark),
                                            pass.find('\n', at + 1) - at - strlen(refused_mark)));

        at += strlen(refused_mark);
        line >> u.at.line >> u.at.column;
        line.ignore();
        if (std::getline(line, u.file, '\t') && std::getline(line, u.name, '\t') &&
            std::getline(line, u.text))
            uses.push_back(u);
    }
}

// The innermost function around a place.
Defined *CallJudge::function_at(const std::string &file, Position p)
{
    Defined *best = nullptr;

    for (Defined &f : functions)
        if (!(p < f.from) && !(f.to < p) && f.file == file && (!best || best->from < f.from))
            best = &f;
    return best;
}

// The last component of a name, without template arguments: length of box<int>::length<3>
std::string last_component(const std::string &name)
{
    size_t start = 0;
    int depth = 0;

    if (name.find("operator") != name.npos)
        return "operator";
    for (size_t i = 0; i + 1 < name.size(); i++) {
        depth += (name[i] == '<' || name[i] == '(') - (name[i] == '>' || name[i] == ')');
        if (depth == 0 && name[i] == ':' && name[i + 1] == ':')
            start = i + 2;
    }
    start += name[start] == '~';
    return name.substr(start, name.find('<', start) - start);
}

bool is_lambda(const std::string &name) { return name.find("::<lambda") != name.npos; }

// Reads the location "[file:line:column]" at the start of a text.
bool read_place(const std::string &text, std::string *file, Position *p)
{
    size_t end = text[0] == '[' ? text.find(']') : text.npos;
    size_t colon = end == text.npos ? end : text.rfind(':', end);
    size_t before = colon == text.npos || !colon ? text.npos : text.rfind(':', colon - 1);

    if (before == text.npos)
        return false;
    *file = text.substr(1, before - 1);
    *p = { atoi(text.c_str() + before + 1), atoi(text.c_str() + colon + 1) };
    return p->line > 0;
}

// Calls visit(start, bytes) for each name in a statement, without those of members, texts and
// places.
template <class F> void each_word(const std::string &line, F visit)
{
    for (size_t i = 0, n; i < line.size(); i += n) {
        size_t close = line[i] == '[' ? line.find(']', i) : 0, colon = line.rfind(':', close);

        n = std::max<size_t>(lex_literal(line.c_str() + i), 1);
        if (close && close != line.npos && colon > i && colon != line.npos)
            n = close + 1 - i;
        else if (size_t word = lex_word(line.c_str() + i)) {
            n = word;
            if (!isdigit((unsigned char)line[i]) && (i == 0 || !strchr(".>", line[i - 1])))
                visit(i, n);
        }
    }
}

// A statement of the function that runs before main(). Variables with constant initializers need
// none. A destructor, which is registered there, and the guard of a template are no initializers.
void CallJudge::read_initialization(const std::string &line, const std::string &file, Position at)
{
    if (line.find("__cxa_atexit") != line.npos || line.find("_ZGV") != line.npos)
        return;
    for (Variable &v : variables)
        v.is_initialized |= !(at < v.from) && at < v.to && v.file == file;
}

void CallJudge::read_statement(const std::string &line)
{
    size_t start = line.find_first_not_of(' ');
    ResolvedCall c = { listed.size() - 1, "", "", { 0, 0 } };
    Listed &inside = listed.back();

    if (start == line.npos || !read_place(line.substr(start), &c.file, &c.at))
        return;
    Defined *around = function_at(c.file, c.at);
    if (inside.file.empty())
        inside.file = c.file;
    if (around && !inside.function &&
        (around->name == last_component(inside.name) || is_lambda(inside.name)))
        inside.function = around;
    if (!variables.empty() && inside.name.compare(0, 23, "__static_initialization") == 0)
        read_initialization(line, c.file, c.at);
    if (inside.function && inside.function->side != host_side)
        each_word(line, [&](size_t i, size_t n) {
            if (!uses.empty())
                inside.function->words.insert(line.substr(i, n));
            if (line.compare(i, 2, "_Z") == 0 && line.compare(i + n, 2, " (") != 0)
                calls.push_back({ c.caller, line.substr(i, n), c.file, c.at, true });
        });
    for (size_t at = 0; (at = line.find(" (", at)) != line.npos; at++) {
        size_t name = at;
        while (name > 0 && lex_in_word(line[name - 1]))
            name--;
        c.symbol = line.substr(name, at - name);
        if (!c.symbol.empty())
            calls.push_back(c);
    }
}

void CallJudge::read_list(const std::string &list)
{
    static const char begin[] = ";; Function ";
    std::istringstream lines(list);

    for (std::string line; std::getline(lines, line);) {
        if (line.compare(0, strlen(begin), begin) == 0) {
            size_t open = line.rfind(" ("), comma = line.find(',', open);
            listed.push_back({ line.substr(strlen(begin), open - strlen(begin)),
                               line.substr(open + 2, comma - open - 2), "" });
            numbers[listed.back().symbol] = listed.size() - 1;
        } else if (!listed.empty() && line.compare(0, 3, "  [") == 0)
            read_statement(line);
    }
}

// A constructor or destructor of a whole object (C1, D1) is listed as that of a base (C2, D2).
const Listed *CallJudge::callee(const ResolvedCall &c) const
{
    auto found = numbers.find(c.symbol);

    for (size_t i = 0; i + 2 < c.symbol.size() && found == numbers.end(); i++)
        if (strchr("CD", c.symbol[i]) && c.symbol[i + 1] == '1' && strchr("EI", c.symbol[i + 2]))
            found = numbers.find(c.symbol.substr(0, i + 1) + "2" + c.symbol.substr(i + 2));
    return found == numbers.end() ? nullptr : &listed[found->second];
}

std::string caller_text(const Defined &f)
{
    const char *side = f.side == host_side  ? "host "
                     : f.side == both_sides ? "__host__ __device__ "
                                            : "__device__ ";

    return f.side == kernel_side ? "kernel '" + f.name + "'"
         : f.name == "["         ? std::string(side) + "lambda"
                                 : side + ("function '" + f.name + "'");
}

// Is this a function of the C++ library that nvcc has on the host only? It has those of math on
// both sides, std::move, std::forward and std::initializer_list.
bool is_std_of_host(const Listed &f)
{
    std::string last = last_component(f.name);
    std::string header = f.file.substr(f.file.rfind('/') + 1);
    bool is_operator = last == "operator",
         is_constructor = !is_operator && f.name.find(last) != f.name.rfind("::" + last) + 2,
         is_on_both = last == "move" || last == "forward" || header == "cmath" ||
                      header == "std_abs.h" || header == "stdlib.h" || header == "math.h" ||
                      f.name.compare(0, 21, "std::initializer_list") == 0;

    // Constructors and assignments may be defaulted. A destructor is that of a variable, of which
    // other functions are called.
    return f.name.compare(0, 5, "std::") == 0 && !f.function && !f.file.empty() && last[0] != '_' &&
           !is_on_both && !is_constructor && f.name.find("operator=") == f.name.npos &&
           f.name.find('~') == f.name.npos;
}

// What is wrong with a call; "" if nothing is.
std::string CallJudge::error(const ResolvedCall &c)
{
    const Defined *from = listed[c.caller].function, *at = function_at(c.file, c.at);
    const Listed *called = callee(c);
    const Defined *to = called ? called->function : nullptr;

    if (!from || !at)
        return "";
    bool is_device = at->side == device_side || at->side == kernel_side;
    if (at->side != host_side && c.symbol == "__builtin_alloca_with_align")
        return caller_text(*at) + " has an array of variable length; the size must be a constant";
    if (!called || is_lambda(called->name))
        return "";
    auto is_reported = [&](const Use &u) { return u.at.line == c.at.line && u.file == c.file; };
    if (!c.is_address && is_device && is_std_judged && is_std_of_host(*called) &&
        std::none_of(uses.begin(), uses.end(), is_reported))
        return caller_text(*at) + " calls '" + called->name +
               "', which is a host function of the C++ library; write a __device__ function in "
               "its place, or pass --expt-relaxed-constexpr to nvcc if it is constexpr";
    if (!to || to->is_of_any_side || at->is_of_any_side)
        return "";
    std::string where = "its declaration in line " + std::to_string(to->from.line) +
                        (to->file == c.file ? "" : " of " + to->file);
    if (is_device && to->side == host_side)
        return caller_text(*at) + (c.is_address ? " uses the address of '" : " calls '") +
               called->name +
               "', which is a host function; write __device__ or __host__ __device__ before " +
               where;
    if (!c.is_address && at->side == host_side && to->side == device_side)
        return caller_text(*at) + " calls '" + called->name +
               "', which is a __device__ function; write __host__ before " + where;
    return "";
}

// What is wrong with a use; "": g++ does not generate code for it.
std::string CallJudge::error(const Use &u)
{
    const Defined *around = function_at(u.file, u.at);
    std::string mangled = std::to_string(u.name.size()) + u.name;
    auto names = [&](const std::string &word) {
        return u.name.empty() || word == u.name ||
               (word.compare(0, 2, "_Z") == 0 && word.find(mangled) != word.npos);
    };

    // Each statement has names.
    return around && std::any_of(around->words.begin(), around->words.end(), names)
             ? caller_text(*around) + " " + u.text
             : "";
}

std::string CallJudge::error(const Variable &v)
{
    return v.is_initialized ? dynamic_initialization(v.space, v.name) : "";
}

}   // namespace

std::string functions_of(const Source &s, const std::vector<Body> &bodies, NvccOptions options)
{
    std::ostringstream lines;

    if (mentions(s, "__NVCC__"))
        return "";
    for (const Body &b : bodies) {
        const Token &first = s.tokens[b.name ? b.name : b.open], &last = s.tokens[b.close];
        if (!is_of_device(s, b.open))
            lines << function_mark << (int)b.side << ' '
                  << (b.is_constexpr && options.relaxed_constexpr) << ' ' << first.line << ' '
                  << first.column + 1 << ' ' << last.line << ' ' << last.column + 1 << ' '
                  << (b.name ? first.text : "[") << ' ' << s.files[first.file];
    }
    for (const DeviceVariable &v : device_variables(s)) {
        const Token &name = s.tokens[v.name], &end = s.tokens[v.end];
        lines << variable_mark << name.line << ' ' << name.column + 1 << ' ' << end.line << ' '
              << end.column + 1 << ' ' << v.space << ' ' << name.text << ' ' << s.files[name.file];
    }
    return lines.str() + refused_uses(s, bodies, options) + "\n";
}

int report_called(const std::string &list, const std::string &pass)
{
    CallJudge judge;
    std::set<std::string> printed;
    std::vector<std::pair<Position, std::string>> errors;

    auto add = [&](const auto &found, Position at) {
        std::string error = judge.error(found);
        if (!error.empty())
            errors.push_back(
                { at, found.file + ":" + std::to_string(at.line) + ": error: " + error });
    };

    judge.read_functions(pass);
    judge.read_variables(pass);
    judge.read_uses(pass);
    judge.read_list(list);
    for (const ResolvedCall &c : judge.calls)
        add(c, c.at);
    for (const Use &u : judge.uses)
        add(u, u.at);
    for (const Variable &v : judge.variables)
        add(v, v.from);
    std::stable_sort(errors.begin(), errors.end(),
                     [](const auto &a, const auto &b) { return a.first < b.first; });
    for (const auto &e : errors)
        if (printed.size() < MOST_CALLS && printed.insert(e.second).second)
            fprintf(stderr, "%s\n", e.second.c_str());
    return (int)printed.size();
}
