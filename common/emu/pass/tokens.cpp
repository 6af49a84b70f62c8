#include "tokens.h"

#include <unistd.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>

#include "lex.h"

namespace {

struct Lexer {
    Source &source;
    size_t at = 0;   // in source.all
    int line = 1;
    size_t file = 0;
    std::set<size_t> system_files;

    explicit Lexer(Source &s) : source(s) {}

    char peek(size_t ahead = 0) const
    {
        return at + ahead < source.all.size() ? source.all[at + ahead] : '\0';
    }
    std::string_view view(size_t from) const
    {
        return std::string_view(source.all).substr(from, at - from);
    }
    bool at_line_start() const { return at == 0 || source.all[at - 1] == '\n'; }

    size_t file_number(const std::string &name);
    void enter(const std::string &name, const char *flags);
    void directive();
    std::string_view blank();
    void raw_string();
    bool launch();
    Token::Kind item();
    void foreign();
    void run();
};

size_t Lexer::file_number(const std::string &name)
{
    for (size_t i = 0; i < source.files.size(); i++)
        if (source.files[i] == name)
            return i;
    source.files.push_back(name);
    return source.files.size() - 1;
}

// Does this file belong to a CUDA Toolkit, and not to the CPU device?
bool is_of_toolkit(const std::string &name)
{
    size_t slash = name.rfind('/');
    std::string folder = slash == std::string::npos ? "." : name.substr(0, slash);

    return access((folder + "/cuda_runtime_api.h").c_str(), F_OK) == 0 &&
           access((folder + "/emu_intrinsics.h").c_str(), F_OK) != 0;
}

// A line marker `# LINE "name" flags`. Flag 1: start of an included file. Flag 3: system header.
void Lexer::enter(const std::string &name, const char *flags)
{
    bool starts = false, is_system = false;

    for (; *flags && *flags != '\n'; flags++) {
        starts |= *flags == '1';
        is_system |= *flags == '3';
    }
    if (starts && is_of_toolkit(name)) {
        fprintf(stderr, "%s:%d: the CPU device has no <%s>\n", source.files[file].c_str(), line,
                name.substr(name.rfind('/') + 1).c_str());
        exit(1);
    }
    file = file_number(name);
    if (starts && is_system)
        system_files.insert(file);
}

void Lexer::directive()
{
    const char *text = source.all.c_str() + at;
    char *behind;
    long number = strtol(text + 1, &behind, 10);

    if (behind != text + 1 && behind[0] == ' ' && behind[1] == '"') {
        std::string name;
        const char *p = behind + 2;

        for (; *p && *p != '"'; p++)
            name += *p == '\\' ? *++p : *p;
        enter(name, p + 1);
        line = (int)number - 1;
    }
    at = source.all.find('\n', at);
    if (at == std::string::npos)
        at = source.all.size();
}

std::string_view Lexer::blank()
{
    size_t from = at;

    while (at < source.all.size()) {
        if (peek() == '#' && at_line_start())
            directive();
        else if (isspace((unsigned char)peek()))
            line += source.all[at++] == '\n';
        else
            break;
        if (system_files.count(file) && at_line_start())
            break;
    }
    return view(from);
}

void Lexer::raw_string()
{
    size_t open = source.all.find('(', at);
    std::string stop = ")" + source.all.substr(at + 1, open - at - 1) + "\"";
    size_t end = source.all.find(stop, open);

    end = end == std::string::npos ? source.all.size() : end + stop.size();
    for (; at < end; at++)
        line += peek() == '\n';
}

// Reads the <<< of a launch, also with blanks in it, as formatters for C++ write it.
bool Lexer::launch()
{
    size_t end = at;

    if (source.tokens.back().text == "operator")
        return false;
    for (int count = 0; count < 3; count++, end++) {
        while (count && end < source.all.size() && strchr(" \t", source.all[end]))
            end++;
        if (end >= source.all.size() || source.all[end] != '<')
            return false;
    }
    at = end;
    return true;
}

// Reads one token.
Token::Kind Lexer::item()
{
    const char *text = source.all.c_str() + at;
    size_t number = lex_number(text), word = number ? 0 : lex_word(text),
           literal = word <= 3 ? lex_literal(text + word) : 0;

    at += number + word;
    if (number)
        return Token::number;
    if (word && !literal)
        return Token::word;
    if (word && text[word - 1] == 'R' && text[word] == '"') {
        raw_string();
        return Token::string;
    }
    at += literal;
    if (literal)
        return Token::string;
    if (launch())
        return Token::mark;
    static const char *const marks[] = { "::", "->", "==", "<=", ">=", "!=", "&&", "||" };

    for (const char *m : marks)
        if (source.all.compare(at, strlen(m), m) == 0) {
            at += strlen(m);
            return Token::mark;
        }
    at++;
    return Token::mark;
}

// Skips all lines up to the next line marker of a file that is not a system header.
void Lexer::foreign()
{
    while (at < source.all.size() && system_files.count(file)) {
        if (peek() == '#' && at_line_start()) {
            directive();
            continue;
        }
        at = source.all.find('\n', at);
        at = at == std::string::npos ? source.all.size() : at + 1;
    }
}

void Lexer::run()
{
    source.tokens.push_back({ Token::mark, {}, {}, 0, 0, 0 });
    source.files.push_back("<command line>");
    for (;;) {
        std::string_view before = blank();
        size_t from = at;
        Token::Kind kind = Token::end;
        int first_line = line, column = (int)(from - line_start(source.all, from));

        if (system_files.count(file)) {
            foreign();
            kind = Token::foreign;
        } else if (at < source.all.size()) {
            kind = item();
        }
        std::string_view text = view(from);
        bool is_launch = kind == Token::mark && text.size() > 2 && text[0] == '<';
        source.tokens.push_back(
            { kind, before, is_launch ? "<<<" : text, first_line, column, file });
        if (kind == Token::end)
            return;
    }
}

void match_brackets(Source &s)
{
    std::vector<size_t> open;

    for (size_t i = 1; i < s.tokens.size(); i++) {
        Token &t = s.tokens[i];
        char c = t.kind == Token::mark && t.text.size() == 1 ? t.text[0] : ' ';

        if (strchr(")]}", c)) {
            static const char closes[] = "()[]{}";
            if (open.empty() || *(strchr(closes, s.tokens[open.back()].text[0]) + 1) != c)
                fail(s, i, std::string("unmatched ") + c);
            t.partner = open.back();
            s.tokens[open.back()].partner = i;
            open.pop_back();
        }
        t.parent = open.empty() ? 0 : open.back();
        if (strchr("([{", c))
            open.push_back(i);
    }
    if (!open.empty())
        fail(s, open.back(), "unmatched " + std::string(s.tokens[open.back()].text));
}

}   // namespace

// Lines of expanded macros have up to 100 KB: memrchr reads them faster than rfind.
size_t line_start(const std::string &text, size_t at)
{
    const void *newline = memrchr(text.data(), '\n', at);

    return newline ? (const char *)newline - text.data() + 1 : 0;
}

void read_source(Source &source, std::string text)
{
    source.all = std::move(text);
    Lexer(source).run();
    match_brackets(source);
}

std::function<bool(const Source &)> on_failure;

void fail(const Source &s, size_t token, const std::string &what)
{
    if (on_failure && on_failure(s))
        exit(1);
    refuse(s, token, what);
}

void refuse(const Source &s, size_t token, const std::string &what)
{
    const Token &t = s.tokens[token];

    fprintf(stderr, "%s:%d: error: %s\n", s.files[t.file].c_str(), t.line, what.c_str());
    exit(1);
}
