// Preprocessed C++ as tokens: words, numbers, strings and operators, each with what stands before
// it.
#ifndef PASS_TOKENS_H
#define PASS_TOKENS_H

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

struct Token {
    enum Kind { word, number, string, mark, foreign, end };

    Kind kind;                // `foreign`: lines of a system header, which stay as they are
    std::string_view blank;   // white space, line markers and pragmas before it
    std::string_view text;
    int line;             // in `file`
    size_t file;          // index in Source::files
    size_t partner = 0;   // of a bracket ( [ { or ) ] }; 0 if it has none
    size_t parent = 0;    // the innermost open bracket around it; 0 outside all of them
};

// Token 0 is an empty one, so that index 0 means "none"; the last one has kind `end`.
struct Source {
    std::string all;   // what the tokens point into
    std::vector<std::string> files;
    std::vector<Token> tokens;
};

// Splits the output of `g++ -E`. A bracket without partner is an error.
void read_source(Source &, std::string text);

// Prints "FILE:LINE: what" and ends the program with status 1.
[[noreturn]] void fail(const Source &, size_t token, const std::string &what);

#endif
