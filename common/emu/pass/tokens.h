// Preprocessed C++ as tokens: words, numbers, strings and operators, each with the text that
// precedes it.
#ifndef PASS_TOKENS_H
#define PASS_TOKENS_H

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

struct Token {
    enum Kind { word, number, string, mark, foreign, end };

    Kind kind;                // `foreign`: lines of a system header, which stay unchanged
    std::string_view blank;   // white space, line markers and pragmas before it
    std::string_view text;
    int line, column;     // in `file`; the column counts from 0
    size_t file;          // index in Source::files
    size_t partner = 0;   // of a bracket ( [ { or ) ] }: the matching one; 0: none
    size_t parent = 0;    // the innermost open bracket around it; 0: none
};

// Token 0 is empty, so index 0 means "none". The last token has kind `end`.
struct Source {
    std::string all;   // the text that tokens point into
    std::vector<std::string> files;
    std::vector<Token> tokens;
};

// The offset at which the line that contains text[at] begins.
size_t line_start(const std::string &text, size_t at);

// Splits the output of `g++ -E` into tokens. An unmatched bracket is an error.
void read_source(Source &, std::string text);

// What fail() calls first. True: it has printed a better message.
extern std::function<bool(const Source &)> on_failure;
// Prints "FILE:LINE: error: what" and ends the program with status 1.
[[noreturn]] void fail(const Source &, size_t token, const std::string &what);
// The same without on_failure, for what g++ does not know better.
[[noreturn]] void refuse(const Source &, size_t token, const std::string &what);

#endif
