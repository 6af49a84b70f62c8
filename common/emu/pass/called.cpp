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
#include "views.h"

namespace {

constexpr size_t MOST_CALLS = 20;   // errors
const char function_mark[] = "\n// function: ";

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
    bool is_template, is_constexpr;
};

// A function in the list of statements.
struct Listed {
    std::string name;                    // with its classes: vec::length
    std::string symbol;                  // mangled
    const Defined *function = nullptr;   // null: of no file of the program
};

struct ResolvedCall {
    size_t caller;   // index in `listed`
    std::string symbol, file;
    Position at;
};

struct CallJudge {
    std::vector<Defined> functions;
    std::vector<Listed> listed;
    std::map<std::string, size_t> numbers;   // of `listed`, by symbol
    std::vector<ResolvedCall> calls;

    void read_functions(const std::string &pass);
    const Defined *function_at(const std::string &file, Position) const;
    void read_statement(const std::string &line);
    void read_list(const std::string &list);
    const Listed *callee(const ResolvedCall &) const;
    std::string error(const ResolvedCall &) const;
};

void CallJudge::read_functions(const std::string &pass)
{
    for (size_t at = 0; (at = pass.find(function_mark, at)) != pass.npos;) {
        Defined f;
        std::istringstream line(
            pass.substr(at + strlen(function_mark), pass.find('\n', at + 1) - at));

        at += strlen(function_mark);
        line >> f.side >> f.is_template >> f.is_constexpr >> f.from.line >> f.from.column >>
            f.to.line >> f.to.column >> f.name;
        if (line.ignore() && std::getline(line, f.file))
            functions.push_back(f);
    }
}

// The innermost function around a place.
const Defined *CallJudge::function_at(const std::string &file, Position p) const
{
    const Defined *best = nullptr;

    for (const Defined &f : functions)
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

void CallJudge::read_statement(const std::string &line)
{
    size_t start = line.find_first_not_of(' ');
    ResolvedCall c = { listed.size() - 1, "", "", { 0, 0 } };
    Listed &inside = listed.back();

    if (start == line.npos || !read_place(line.substr(start), &c.file, &c.at))
        return;
    const Defined *around = function_at(c.file, c.at);
    if (around && !inside.function &&
        (around->name == last_component(inside.name) || is_lambda(inside.name)))
        inside.function = around;
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
                               line.substr(open + 2, comma - open - 2) });
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

// What is wrong with a call; "" if nothing is.
std::string CallJudge::error(const ResolvedCall &c) const
{
    const Defined *from = listed[c.caller].function, *at = function_at(c.file, c.at);
    const Listed *called = callee(c);
    const Defined *to = called ? called->function : nullptr;

    if (!from || !at || !to || to->is_constexpr || at->is_constexpr || is_lambda(called->name))
        return "";
    bool is_device = at->side == device_side || at->side == kernel_side;
    std::string where = "its declaration in line " + std::to_string(to->from.line) +
                        (to->file == c.file ? "" : " of " + to->file),
                caller = at->name == "[" ? "lambda" : "function '" + at->name + "'";
    if (is_device && to->side == host_side)
        return (at->side == kernel_side ? "kernel '" + at->name + "'" : "__device__ " + caller) +
               " calls '" + called->name +
               "', which is a host function; write __device__ or __host__ __device__ before " +
               where;
    if (at->side == host_side && to->side == device_side)
        return "host " + caller + " calls '" + called->name +
               "', which is a __device__ function; write __host__ before " + where;
    return "";
}

}   // namespace

std::string functions_of(const Source &s)
{
    std::ostringstream lines;

    if (mentions(s, "__NVCC__"))
        return "";
    for (const Body &b : find_bodies(s)) {
        const Token &first = s.tokens[b.name ? b.name : b.open], &last = s.tokens[b.close];
        if (!is_of_device(s, b.open))
            lines << function_mark << (int)b.side << ' ' << b.is_template << ' ' << b.is_constexpr
                  << ' ' << first.line << ' ' << first.column + 1 << ' ' << last.line << ' '
                  << last.column + 1 << ' ' << (b.name ? first.text : "[") << ' '
                  << s.files[first.file];
    }
    return lines.str() + "\n";
}

int report_called(const std::string &list, const std::string &pass)
{
    CallJudge judge;
    std::set<std::string> printed;
    std::vector<std::pair<Position, std::string>> errors;

    judge.read_functions(pass);
    judge.read_list(list);
    for (const ResolvedCall &c : judge.calls) {
        std::string error = judge.error(c);
        if (!error.empty())
            errors.push_back(
                { c.at, c.file + ":" + std::to_string(c.at.line) + ": error: " + error });
    }
    std::stable_sort(errors.begin(), errors.end(),
                     [](const auto &a, const auto &b) { return a.first < b.first; });
    for (const auto &e : errors)
        if (printed.size() < MOST_CALLS && printed.insert(e.second).second)
            fprintf(stderr, "%s\n", e.second.c_str());
    return (int)printed.size();
}
