// Parses the text of an asm statement with PTX: declarations of registers in nested blocks, labels,
// guards and operands (PTX ISA, "Syntax"; Inline PTX Assembly in CUDA). The handler of each
// instruction is looked up here.
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <sstream>

#include "ptx.h"

namespace emu {
namespace ptx {

static const Opcode *opcodes;

Opcode::Opcode(const char *name_, Handler *(*choose_)(const Instruction &))
    : name(name_), choose(choose_), next(opcodes)
{
    opcodes = this;
}

Space Instruction::space() const
{
    for (const std::string &p : parts)
        if (p == "shared" || p == "shared::cta")
            return Space::shared;
        else if (p == "shared::cluster")
            return Space::cluster;
        else if (p == "global")
            return Space::global;
        else if (p == "const")
            return Space::constant;
        else if (p == "param" || p == "param::entry" || p == "param::func")
            return Space::parameter;
        else if (p == "local")
            return Space::local;
    return Space::generic;
}

bool has_only(const Instruction &in, const char *words, unsigned types)
{
    std::string list = std::string(" ") + words + " ";

    for (size_t i = 1; i + types < in.parts.size(); i++) {
        std::string part = in.parts[i];
        if (part.compare(0, 4, "L1::") == 0 || part.compare(0, 4, "L2::") == 0)
            part.resize(4);
        if (list.find(" " + part + " ") == std::string::npos)
            return false;
    }
    return in.parts.size() > types;
}

namespace {

// ---- immediates ----

struct Number {
    uint64_t bits;
    bool is_float;   // a decimal fraction: the bits of a double
};

bool is_name(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%'; }

Number number_of(const std::string &text)
{
    const char *s = text.c_str();
    bool is_negative = *s == '-';
    char *end;

    s += is_negative || *s == '+';
    if (s[0] == '0' && strchr("fFdD", s[1]) && s[1])
        return { strtoull(s + 2, nullptr, 16), false };
    if (strchr(s, '.') || (strpbrk(s, "eE") && !(s[0] == '0' && strchr("xX", s[1])))) {
        double v = strtod(s, &end);
        uint64_t bits;

        v = is_negative ? -v : v;
        memcpy(&bits, &v, sizeof bits);
        return { bits, true };
    }
    uint64_t v =
        s[0] == '0' && strchr("bB", s[1]) && s[1] ? strtoull(s + 2, &end, 2) : strtoull(s, &end, 0);
    if (*end == 'U')
        end++;
    if (*end)
        throw "malformed number `" + text + "`";
    return { is_negative ? 0 - v : v, false };
}

// ---- parser ----

constexpr unsigned MOST_VARIABLES = 1024;   // on the stack of a lane, which has 64 KiB

struct Register {
    unsigned index, bits;
};

struct Scope {
    std::map<std::string, Register> registers;
    unsigned number;   // each block has one
};

struct Branch {
    uint32_t instruction;
    std::vector<unsigned> scopes;   // numbers of the blocks around it, innermost last
};

struct Parser {
    const std::string text;
    size_t at = 0;
    Program &p;
    std::vector<std::string> constraints;
    std::vector<Scope> scopes;
    unsigned scope_count = 0, sites = 0;
    std::map<std::pair<unsigned, std::string>, uint32_t> labels;
    std::vector<Branch> branches;

    Parser(const char *t, const char *c, Program &program) : text(t), p(program)
    {
        std::istringstream words(c);

        for (std::string word; words >> word;)
            constraints.push_back(word);
        p.variables = (unsigned)constraints.size();
        for (const std::string &constraint : constraints)
            p.places += constraint[0] == '*';
    }

    char peek(size_t ahead = 0) const { return at + ahead < text.size() ? text[at + ahead] : '\0'; }
    bool accept(char c)
    {
        blanks();
        return peek() == c && ++at;
    }
    void expect(char c)
    {
        if (!accept(c))
            throw std::string("expected `") + c + "` before `" + text.substr(at, 20) + "`";
    }

    void blanks();
    std::string name();
    std::string word();
    void open_block() { scopes.push_back({ {}, scope_count++ }); }
    unsigned bits_of(const std::string &type);
    void declaration();
    Value variable(const std::string &name);
    Value value();
    Operand operand(bool is_branch);
    void instruction();
    void statement();
    void resolve_labels();
    void run();
};

void Parser::blanks()
{
    for (;;) {
        if (isspace((unsigned char)peek()))
            at++;
        else if (peek() == '/' && peek(1) == '/')
            at = std::min(text.find('\n', at), text.size());
        else if (peek() == '/' && peek(1) == '*')
            at = std::min(text.find("*/", at), text.size() - 2) + 2;
        else
            return;
    }
}

// A name of a register, label or operand. In asm, %% stands for %.
std::string Parser::name()
{
    std::string name;

    blanks();
    while (is_name(peek()) || (peek() == '.' && name[0] == '%')) {
        if (peek() == '%' && peek(1) == '=') {   // a number for each statement: of no use here
            at += 2;
            name += "unique";
            continue;
        }
        at += peek() == '%' && peek(1) == '%';
        name += text[at++];
    }
    return name;
}

// An opcode, directive or state space, with its dots and colons.
std::string Parser::word()
{
    size_t from = at;

    while (is_name(peek()) || peek() == '.' || (peek() == ':' && peek(1) == ':'))
        at += peek() == ':' ? 2 : 1;
    return text.substr(from, at - from);
}

unsigned Parser::bits_of(const std::string &type)
{
    if (type == ".pred")
        return 1;
    if (type == ".f16x2" || type == ".bf16x2")
        return 32;
    if (type == ".bf16")
        return 16;
    int n = type.size() > 2 && strchr("busf", type[1]) ? atoi(type.c_str() + 2) : 0;
    if (n != 8 && n != 16 && n != 32 && n != 64)
        throw "a register of the type `" + type + "`";
    return (unsigned)n;
}

// .reg .b32 a, b<4>;
void Parser::declaration()
{
    blanks();
    std::string type = word();

    blanks();
    if (type == ".v2" || type == ".v4")
        throw std::string("a declaration of a vector");
    do {
        std::string n = name();
        unsigned bits = bits_of(type), count = 0;

        if (n.empty())
            throw "expected a name before `" + text.substr(at, 20) + "`";
        if (!accept('<')) {
            scopes.back().registers[n] = { p.variables++, bits };
            continue;
        }
        for (blanks(); isdigit((unsigned char)peek()); at++)
            count = 10 * count + (unsigned)(peek() - '0');
        expect('>');
        for (unsigned i = 0; i < count && i < MOST_VARIABLES; i++)
            scopes.back().registers[n + std::to_string(i)] = { p.variables++, bits };
    } while (accept(','));
}

Value Parser::variable(const std::string &name)
{
    Value v = { Value::variable, 64, false, false, 0, 0 };
    unsigned bits;

    if (name == "_")
        return v.where = Value::sink, v;
    for (size_t i = scopes.size(); i-- > 0;) {
        auto found = scopes[i].registers.find(name);
        if (found != scopes[i].registers.end()) {
            v.index = (uint16_t)found->second.index;
            v.bits = (uint8_t)found->second.bits;
            return v;
        }
    }
    if (name[0] == '%' && isdigit((unsigned char)name[1])) {
        unsigned long i = strtoul(name.c_str() + 1, nullptr, 10);
        if (i >= constraints.size())
            throw "operand " + name + " does not exist";
        char c = constraints[i].back();
        v.index = (uint16_t)i;
        v.is_place = constraints[i][0] == '*';
        v.bits = c == 'h' ? 16 : c == 'r' || c == 'f' ? 32 : 64;
        return v;
    }
    if (name == "WARP_SZ")
        return v.where = Value::immediate, v.value = 32, v;
    int index = special_index(name, &bits);
    if (index < 0)
        throw(name[0] == '%' ? "there is no register " : "no register is declared with the name ") +
            name;
    v.where = Value::special;
    v.bits = (uint8_t)bits;
    v.index = (uint16_t)index;
    return v;
}

Value Parser::value()
{
    bool is_not = accept('!'), is_minus = !is_not && accept('-');

    blanks();
    if (isdigit((unsigned char)peek()) || peek() == '.' || peek() == '+') {
        std::string digits;
        while (isalnum((unsigned char)peek()) || peek() == '.' ||
               ((peek() == '-' || peek() == '+') &&
                (digits.empty() || (strchr("eE", digits.back()) && digits.compare(0, 2, "0x") &&
                                    digits.find_first_of(".eE") != digits.npos &&
                                    digits.compare(0, 2, "0f") && digits.compare(0, 2, "0d")))))
            digits += text[at++];
        Number n = number_of((is_minus ? "-" : "") + digits);
        if (is_not)
            n.bits = !n.bits;
        Value v = { Value::immediate, (uint8_t)(n.is_float ? 65 : 64), false, false, 0, n.bits };
        return v;
    }
    std::string n = name();
    if (n.empty())
        throw "expected an operand before `" + text.substr(at, 20) + "`";
    if (n == "true" || n == "false")
        return { Value::immediate, 1, false, false, 0, (uint64_t)((n == "true") != is_not) };
    Value v = variable(n);
    if (is_minus || (is_not && v.bits != 1))
        throw "a negated operand, " + n;
    v.is_negated = is_not;
    return v;
}

Operand Parser::operand(bool is_branch)
{
    static const Value zero = { Value::immediate, 64, false, false, 0, 0 };
    Operand o = { Kind::registers, {}, zero, zero, 0, "" };

    if (is_branch) {
        o.kind = Kind::label;
        o.label = name();
    } else if (accept('{')) {
        do
            o.values.push_back(value());
        while (accept(','));
        expect('}');
    } else if (accept('[')) {
        o.kind = Kind::memory;
        o.base = value();
        for (;;) {
            if (accept(',')) {
                Operand coordinates = operand(false);
                o.values.insert(o.values.end(), coordinates.values.begin(),
                                coordinates.values.end());
                continue;
            }
            bool is_plus = accept('+');
            blanks();
            if (!is_plus && peek() != '-')
                break;
            Value v = value();
            if (v.where == Value::immediate)
                o.offset += (int64_t)v.value;
            else if (o.index.where != Value::immediate)
                throw std::string("an address with more than two registers");
            else
                o.index = v;
        }
        expect(']');
    } else {
        o.values.push_back(value());
        if (accept('|'))
            o.values.push_back(value());
    }
    return o;
}

std::vector<std::string> split(const std::string &name)
{
    std::vector<std::string> parts;

    for (size_t i = 0, end; i <= name.size(); i = end + 1) {
        end = std::min(name.find('.', i), name.size());
        parts.push_back(name.substr(i, end - i));
    }
    return parts;
}

Handler *handler_of(const Instruction &in)
{
    const Opcode *best = nullptr;
    size_t longest = 0;

    for (const Opcode *o = opcodes; o; o = o->next) {
        size_t n = strlen(o->name);
        if (n > longest && in.name.compare(0, n, o->name) == 0 &&
            (in.name.size() == n || in.name[n] == '.')) {
            best = o;
            longest = n;
        }
    }
    return best ? best->choose(in) : nullptr;
}

void Parser::instruction()
{
    Instruction in = {};

    in.guard.where = Value::immediate;
    if (accept('@')) {
        in.is_guarded = true;
        in.is_guard_negated = accept('!');
        in.guard = variable(name());
        blanks();
    }
    in.name = word();
    if (in.name.empty() || in.name[0] == '.' || !isalpha((unsigned char)in.name[0]))
        throw "malformed at `" + text.substr(at - in.name.size(), 20) + "`";
    in.parts = split(in.name);
    in.number = (uint32_t)p.code.size();
    bool is_branch = in.parts[0] == "bra";
    blanks();
    if (peek() != ';')
        do
            in.operands.push_back(operand(is_branch));
        while (accept(','));
    expect(';');
    // decimal fractions have the type of the instruction
    for (Operand &o : in.operands)
        for (Value &v : o.values)
            if (v.where == Value::immediate && v.bits == 65) {
                v.bits = 64;
                if (in.parts.back() == "f32") {
                    double d;
                    memcpy(&d, &v.value, sizeof d);
                    float f = (float)d;
                    v.value = 0;
                    memcpy(&v.value, &f, sizeof f);
                }
            }
    if (is_branch) {
        Branch b = { in.number, {} };
        for (const Scope &s : scopes)
            b.scopes.push_back(s.number);
        branches.push_back(b);
    }
    static const char *const apart[] = { "ld",   "ldu",    "st",    "atom",     "red",
                                         "shfl", "vote",   "match", "redux",    "activemask",
                                         "mma",  "cp",     "elect", "ldmatrix", "stmatrix",
                                         "bar",  "barrier" };
    for (const char *name : apart)
        if (in.parts[0] == name)
            in.site = (uint8_t)std::min(sites++, 3u);
    in.handler = handler_of(in);
    p.code.push_back(std::move(in));
}

void Parser::statement()
{
    blanks();
    if (accept(';') || at >= text.size())
        return;
    if (accept('{'))
        return open_block();
    if (accept('}')) {
        if (scopes.size() == 1)
            throw std::string("a } without {");
        return scopes.pop_back();
    }
    size_t from = at;
    std::string label = name();
    blanks();
    if (!label.empty() && peek() == ':' && peek(1) != ':') {
        at++;
        if (!labels.emplace(std::make_pair(scopes.back().number, label), p.code.size()).second)
            throw "two labels with the name " + label;
        return;
    }
    at = from;
    if (text.compare(at, 4, ".reg") == 0) {
        at += 4;
        declaration();
        return expect(';');
    }
    if (text.compare(at, 8, ".pragma ") == 0) {
        at = std::min(text.find(';', at), text.size());
        return;
    }
    instruction();
}

void Parser::resolve_labels()
{
    for (const Branch &b : branches) {
        Operand &target = p.code[b.instruction].operands.at(0);
        bool is_found = false;

        for (size_t i = b.scopes.size(); i-- > 0 && !is_found;) {
            auto found = labels.find({ b.scopes[i], target.label });
            if ((is_found = found != labels.end()))
                target.offset = found->second;
        }
        if (!is_found)
            throw "there is no label " + target.label;
    }
}

void Parser::run()
{
    open_block();
    while (at < text.size())
        statement();
    if (scopes.size() > 1)
        throw std::string("a { without }");
    resolve_labels();
}

}   // namespace

Program *parse(const char *text, const char *constraints)
{
    Program *p = new Program{ {}, 0, 0, "" };

    try {
        Parser(text, constraints, *p).run();
    } catch (const std::string &what) {
        p->error = what;
    }
    if (p->variables > MOST_VARIABLES)
        p->error = "more than " + std::to_string(MOST_VARIABLES) + " registers";
    return p;
}

}   // namespace ptx
}   // namespace emu
