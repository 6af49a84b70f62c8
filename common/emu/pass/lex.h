// Where the words, numbers and literals of C++ end: for the source pass, and for the rules about
// submissions (common/grade), which check the same text before it is preprocessed. A header of C,
// because both are one program each.
#ifndef PASS_LEX_H
#define PASS_LEX_H

#include <ctype.h>
#include <string.h>

// Bytes above 127 belong to words: g++ accepts letters of all languages.
static inline int lex_in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c > 127;
}

// Each function returns the length of what begins at s; 0: nothing of this kind does.

static inline size_t lex_word(const char *s)
{
    size_t n = 0;

    while (lex_in_word(s[n]))
        n++;
    return n;
}

// A number of the preprocessor, in which ' separates digits.
static inline size_t lex_number(const char *s)
{
    size_t n = isdigit((unsigned char)s[s[0] == '.']) ? 1 : 0;

    while (n && (lex_in_word(s[n]) || s[n] == '.' ||
                 (s[n] == '\'' && isalnum((unsigned char)s[n + 1])) ||
                 (s[n] && strchr("+-", s[n]) && strchr("eEpP", s[n - 1]))))
        n++;
    return n;
}

// A text or character in quotes, without a prefix. It ends at the end of its line at the latest.
static inline size_t lex_literal(const char *s)
{
    size_t n = 1;

    if (s[0] != '"' && s[0] != '\'')
        return 0;
    while (s[n] && s[n] != s[0] && s[n] != '\n')
        n += s[n] == '\\' && s[n + 1] ? 2 : 1;
    return n + (s[n] == s[0]);
}

#endif
