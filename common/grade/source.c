#include "source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../emu/pass/lex.h"
#include "lists.h"
#include "program.h"
#include "text.h"

// --- the text, without comments, with the number of the line of each character

struct text {
    char *at;
    int *line;
};

// The length of the comment or literal at s, at least to its end; 0: there is none.
static size_t opaque(const char *s)
{
    const char *end = NULL;

    if (s[0] == '/' && s[1] == '/')
        return strcspn(s, "\n");
    if (s[0] == '/' && s[1] == '*')
        return (end = strstr(s + 2, "*/")) ? (size_t)(end + 2 - s) : strlen(s);
    return lex_literal(s);
}

// The length of the comment, literal, number or word at s, or else 1.
static size_t token_at(const char *s)
{
    size_t n = opaque(s);

    n = n ? n : lex_number(s);
    n = n ? n : lex_word(s);
    return n ? n : 1;
}

static const char *word_at(const char *s) { return text_of("%.*s", (int)lex_word(s), s); }

// Joins lines that end in "\", as a compiler does first. A lone carriage return ends a line, too.
static struct text joined_lines(const char *source)
{
    char *const lines = strdup(source);
    const char *from = lines;
    struct text t = { must_malloc(strlen(from) + 1),
                      must_malloc((strlen(from) + 1) * sizeof(int)) };
    size_t n = 0;
    int line = 1;

    for (char *at = lines; (at = strchr(at, '\r')); at++)
        if (at[1] != '\n')
            *at = '\n';
    for (; *from; from++) {
        size_t blanks = from[0] == '\\' ? strspn(from + 1, " \t\r\v\f") : 0;

        if (from[0] == '\\' && from[1 + blanks] == '\n') {
            from += 1 + blanks;
        } else {
            t.line[n] = line;
            t.at[n++] = *from;
        }
        line += *from == '\n';
    }
    t.at[n] = '\0';
    t.line[n] = line;
    free(lines);
    return t;
}

// Replaces each comment by a blank.
static struct text without_comments(const char *source)
{
    struct text from = joined_lines(source), t = joined_lines(source);
    size_t n = 0;

    for (size_t i = 0, length; from.at[i]; i += length) {
        length = token_at(from.at + i);
        if (opaque(from.at + i) && from.at[i] == '/') {
            t.line[n] = from.line[i];
            t.at[n++] = ' ';
            continue;
        }
        memcpy(t.at + n, from.at + i, length);
        memcpy(t.line + n, from.line + i, length * sizeof(int));
        n += length;
    }
    t.at[n] = '\0';
    return t;
}

char *source_words(const char *source)
{
    struct text t = without_comments(source);
    char *words = must_malloc(2 * strlen(source) + 2);
    int line = 1;
    size_t n = 0;

    for (size_t i = 0, length; t.at[i]; i += length) {
        length = token_at(t.at + i);
        for (; line < t.line[i]; line++)
            words[n++] = '\n';
        if (strncmp(t.at + i, "include", 7) == 0)   // the name of a header is no word
            length = strcspn(t.at + i, "\n");
        else if (opaque(t.at + i) || t.at[i] == '\n') {
            words[n++] = ' ';
        } else {
            memcpy(words + n, t.at + i, length);
            n += length;
        }
    }
    words[n] = '\0';
    return words;
}

// --- words

static const char *words_of_list(const char *list)
{
    const char *all = listed(list), *word;
    const char *text = "";

    while ((word = next_word(&all)))
        text = with_word(text, word);
    return text;
}

static int begins_with(const char *word, const char *beginning)
{
    return strncmp(word, beginning, strlen(beginning)) == 0;
}

// A word that the standards reserve.
static int is_reserved(const char *word)
{
    return word[0] == '_' && (word[1] == '_' || isupper((unsigned char)word[1]));
}

// Checks a word of code, or of the definition of a macro.
static const char *wrong_word(const char *word)
{
    if (is_listed("refused", word))
        return text_of("'%s', which changes how accesses are compiled or counted", word);
    if (strcmp(word, "emu") == 0 || begins_with(word, "emu_") || begins_with(word, "EMU_") ||
        begins_with(word, "guarded_"))
        return text_of("'%s', a name of the CPU device", text_head(word, 40));
    if (is_reserved(word) && !is_listed("reserved", word))
        return text_of("'%s': names that begin with __ or _A to _Z belong to the compiler; allowed "
                       "is the list 'reserved' of common/grade/allowed",
                       text_head(word, 40));
    return NULL;
}

// --- directives

static const char *wrong_header(const char *name)
{
    size_t n = strlen(name);
    int quoted = name[0] == '"';
    const char *inside;

    if (n < 3 || name[n - 1] != (quoted ? '"' : '>') || (!quoted && name[0] != '<'))
        return text_of("#include %s; expected \"...\" or <...>", text_head(name, 40));
    inside = text_of("%.*s", (int)n - 2, name + 1);
    if (is_listed("headers", inside) ||
        (quoted && !strpbrk(inside, "/\\") && n > 4 && strcmp(inside + n - 4, ".h") == 0 &&
         (access(inside, R_OK) == 0 || access(text_of("../common/stage/%s", inside), R_OK) == 0)))
        return NULL;
    return text_of("the header %s; allowed are the headers of the week, and the list 'headers' of "
                   "common/grade/allowed",
                   text_head(name, 60));
}

// Checks the words of a condition: with one on the compiler, a GPU would time other code than the
// CPU device counts.
static const char *wrong_condition(const char *line)
{
    for (; *line; line += token_at(line)) {
        const char *word = lex_number(line) ? "" : word_at(line), *wrong = wrong_word(word);

        if (is_listed("conditions", word))
            continue;
        if (begins_with(word, "CUDA") || begins_with(word, "cuda") || is_reserved(word))
            return text_of("'%s' in a condition: the CPU device and a GPU would compile different "
                           "code",
                           text_head(word, 40));
        if (wrong)
            return wrong;
    }
    return NULL;
}

// The operator ## at s, "##" or "%:%:": its length, or 0.
static size_t paste_at(const char *s)
{
    return strncmp(s, "##", 2) == 0 ? 2 : strncmp(s, "%:%:", 4) == 0 ? 4 : 0;
}

// Whether a word that begins with this text could be one that is refused.
static int may_become_wrong(const char *beginning)
{
    static const char *const names[] = { "emu_", "EMU_", "guarded_", "_" };
    const char *all = listed("refused"), *word;

    while ((word = next_word(&all)))
        if (begins_with(word, beginning))
            return 1;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (begins_with(names[i], beginning) || begins_with(beginning, names[i]))
            return 1;
    return 0;
}

// Checks each ## in what follows the name of a macro: the word that it makes must not be one that
// is refused. So it begins with a word that is no parameter, as in kernel_##N; and after a comma,
// ##__VA_ARGS__ makes no word.
static const char *wrong_paste(const char *at)
{
    const char *parameters = *at == '(' ? text_of("%.*s", (int)strcspn(at, ")"), at + 1) : "";
    const char *left = "";

    for (char *c = (char *)parameters; *c; c++)
        *c = *c == ',' ? ' ' : *c;
    for (size_t n; *at; at += n) {
        size_t paste = paste_at(at), skip = paste + strspn(at + paste, " \t");

        n = paste ? skip : token_at(at);
        if (paste && strcmp(left, ",") == 0 && strncmp(at + skip, "__VA_ARGS__", 11) == 0)
            left = "##";
        else if (paste && lex_word(left) && !isdigit((unsigned char)left[0]) &&
                 !has_word(parameters, left) && !may_become_wrong(left))
            left = "##";
        else if (paste)
            return "the operator ##; allowed are NAME##PARAMETER and , ##__VA_ARGS__";
        else if (!strchr(" \t", *at))
            left = strcmp(left, "##") == 0 ? "#" : text_of("%.*s", (int)n, at);
    }
    return NULL;
}

// *macros: those that the submission has defined so far.
static const char *wrong_definition(const char **macros, const char *rest)
{
    const char *name = word_at(rest);

    // #ifndef __CUDACC__, #define __CUDACC__, #endif: for editors
    if (is_reserved(name) && (!is_listed("conditions", name) || rest[strlen(name)]))
        return text_of("#define %s: names that begin with __ or _A to _Z belong to the compiler",
                       text_head(name, 40));
    *macros = with_word(*macros, name);
    return wrong_paste(rest + strlen(name));   // its words are checked as code
}

// "GCC diagnostic" and "clang diagnostic" are GCC_diagnostic and clang_diagnostic in the list.
static const char *wrong_pragma(const char *rest)
{
    const char *word = word_at(rest), *next = rest + strlen(word);

    next += strspn(next, " \t");
    if (has_word("GCC clang", word))
        word = text_of("%s_%s", word, word_at(next));
    return is_listed("pragmas", word)
             ? NULL
             : text_of("#pragma %s; allowed is the list 'pragmas' of common/grade/allowed",
                       text_head(rest, 40));
}

// Checks what follows "#"; `line` has no end.
static const char *wrong_directive(const char **macros, const char *line)
{
    const char *at = line + strspn(line, " \t"), *rest;
    const char *word = word_at(at);
    size_t n = strlen(word);

    if (!n && !*at)
        return NULL;
    if (!n || !is_listed("directives", word))
        return text_of("the directive '#%s'; allowed are %s", text_head(n ? word : at, 40),
                       words_of_list("directives"));
    rest = at + n + strspn(at + n, " \t");
    rest = text_of("%.*s", (int)strcspn(rest, "\r"), rest);
    for (char *end = (char *)rest + strlen(rest); end > rest && strchr(" \t", end[-1]);)
        *--end = '\0';
    if (strcmp(word, "include") == 0)
        return wrong_header(rest);
    if (strcmp(word, "define") == 0)
        return wrong_definition(macros, rest);
    if (strcmp(word, "undef") == 0)
        return has_word(*macros, rest)
                 ? NULL
                 : text_of("#undef %s, which the submission does not define", text_head(rest, 40));
    if (strcmp(word, "pragma") == 0)
        return wrong_pragma(rest);
    return has_word("if ifdef ifndef elif", word) ? wrong_condition(rest) : NULL;
}

// --- code

static size_t blanks_at(const char *s) { return strspn(s, " \t\n\r\v\f"); }

// The length of the bracket at s, which may be a digraph. 0: there is none.
static size_t bracket_at(const char *s) { return *s == '[' ? 1 : strncmp(s, "<:", 2) == 0 ? 2 : 0; }

// Checks the attributes in the brackets at `at`, up to the one that closes them.
static const char *wrong_attribute(const char *at)
{
    int depth = 0;

    do {
        const char *word = lex_number(at) ? "" : word_at(at);

        depth += *at == '(' || bracket_at(at)                          ? 1
               : *at == ')' || *at == ']' || strncmp(at, ":>", 2) == 0 ? -1
                                                                       : 0;
        if (*word && depth <= 2 && !is_listed("attributes", word))
            return text_of("the attribute '%s'; allowed is the list 'attributes' of "
                           "common/grade/allowed",
                           text_head(word, 40));
        at += token_at(at);
    } while (*at && depth > 0);
    return NULL;
}

// The second of two brackets, between which there may be blanks: they begin an attribute wherever
// they stand. NULL: they do not stand here.
static const char *second_bracket(const char *at)
{
    size_t n = bracket_at(at);
    const char *next = at + n + blanks_at(at + n);

    return n && bracket_at(next) ? next : NULL;
}

// Checks what follows _Pragma: ("unroll") and the like, without escapes.
static const char *wrong_operator(const char *at)
{
    size_t n;

    at += strspn(at, " \t\n");
    at += *at == '(' ? 1 + strspn(at + 1, " \t\n") : 0;
    n = *at == '"' ? strcspn(at + 1, "\"\\\n") : 0;
    return n && at[1 + n] == '"'
             ? wrong_pragma(text_of("%.*s", (int)n, at + 1))
             : "_Pragma; allowed is a text without \\, as in _Pragma(\"unroll 4\")";
}

// Checks the token at `at`, of `n` characters.
static const char *wrong_token(const char *at, size_t n)
{
    const char *next = at + n, *word;

    if (*at == '\\')
        return "a backslash outside a literal";
    if (second_bracket(at))
        return wrong_attribute(at);
    if (lex_number(at))   // compilers differ in where this number ends
        return *next == '\'' ? "a quote after a number" : NULL;
    if (opaque(at) || !lex_word(at))
        return NULL;
    word = text_of("%.*s", (int)n, at);
    if (has_word("__attribute__ __attribute", word))
        return wrong_attribute(next + blanks_at(next));
    if (has_word("R LR uR UR u8R", word) && *next == '"')   // may contain what looks like code
        return "a raw string, R\"...\"";
    if (strcmp(word, "_Pragma") == 0)
        return wrong_operator(next);
    if (strcmp(word, "goto") == 0 && next[blanks_at(next)] == '*')
        return "a computed goto";
    return wrong_word(word);
}

// The length of a directive without the end of its line, if it is no code, and was checked: the
// name of a header, the words of a condition, and #define of a word that may stand there. Else 0.
static size_t words_checked(const char *line)
{
    size_t n = strcspn(line, "\n"), blanks = strspn(line, " \t");
    const char *word = word_at(line + blanks), *name;

    if (strcmp(word, "include") == 0)
        return n;
    if (has_word("if ifdef ifndef elif", word))
        return strcspn(line, "\"'\\") >= n ? n : 0;
    name = line + blanks + strlen(word);
    name += strspn(name, " \t");
    return strcmp(word, "define") == 0 && is_listed("conditions", word_at(name)) &&
                   strspn(name + lex_word(name), " \t\r") >=
                       n - (size_t)(name + lex_word(name) - line)
             ? n
             : 0;
}

const char *submission_source(const char *source)
{
    // some editors write these bytes, which compilers skip, before the text
    struct text t = without_comments(source + 3 * begins_with(source, "\xef\xbb\xbf"));
    const char *macros = "";
    int starts = 1;   // nothing but blanks stands before this in its line

    for (size_t i = 0, n; t.at[i]; i += n) {
        const char *at = t.at + i, *wrong = NULL;
        size_t mark = at[0] == '#' ? 1 : strncmp(at, "%:", 2) == 0 ? 2 : 0;

        n = token_at(at);
        if (starts && mark) {
            n = mark;
            wrong = wrong_directive(&macros, text_of("%.*s", (int)strcspn(at + n, "\n"), at + n));
            n += wrong ? 0 : words_checked(at + n);
        } else {
            wrong = wrong_token(at, n);
        }
        if (wrong)
            return text_of("line %d: %s", t.line[i], wrong);
        starts = *at == '\n' || (starts && strchr(" \t\v\f\r", *at));
    }
    return NULL;
}

// The line and file that a line of the preprocessor names: # 12 "file". Returns 0 for others.
static int is_marker(const char *at, int *line, int *in_submission)
{
    static const char name[] = "submission.cu\"";
    const char *quote;

    if (at[0] != '#' || at[1] != ' ' || !isdigit((unsigned char)at[2]))
        return 0;
    *line = atoi(at + 2);
    quote = strchr(at, '"');
    quote = quote ? strstr(quote, name) : NULL;
    *in_submission = quote && quote < at + strcspn(at, "\n");
    return 1;
}

const char *submission_attributes(const char *preprocessed)
{
    int line = 1, inside = 0, starts = 1;

    for (const char *at = preprocessed; *at;) {
        const char *wrong = NULL;
        size_t n = token_at(at);

        if (starts && is_marker(at, &line, &inside)) {
            at += strcspn(at, "\n");
            at += *at == '\n';
            continue;
        }
        if (inside && second_bracket(at))
            wrong = wrong_attribute(at);
        if (inside && has_word("__attribute__ __attribute", word_at(at)))
            wrong = wrong_attribute(at + n + blanks_at(at + n));
        if (wrong)
            return text_of("line %d: %s", line, wrong);
        starts = *at == '\n';
        line += starts;
        at += n;
    }
    return NULL;
}

const char *guarded_names(void)
{
    const char *guarded = listed("guarded"), *counted = listed("counted"), *word, *text = "";

    while ((word = next_word(&guarded)))
        text = text_of("%s%s guarded_%s\n", text, word, word);
    while ((word = next_word(&counted)))
        text = text_of("%s%s emu_%s\n", text, word, word);
    return text;
}
