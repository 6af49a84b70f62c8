/* Whether machine code is of the sources as they are now: a number of all words of a file and of
 * the files of the repository that it includes. Comments and blanks do not count. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/program.h"
#include "../emu/pass/lex.h"
#include "code.h"

struct sources {
    char **path;
    int n;
    uint64_t words;
};

static void add_file(struct sources *s, const char *path);

static void add_bytes(struct sources *s, const char *text, size_t n)
{
    for (size_t k = 0; k <= n; k++)   // a 0 behind each word
        s->words = (s->words ^ (k < n ? (unsigned char)text[k] : 0)) * 0x100000001b3;
}

static char *content_of(FILE *f)
{
    char *text = NULL;
    size_t n = 0, got;

    do {
        text = realloc(text, n + 65537);
        if (!text)
            die(STATUS_ERROR, "no memory for a source file");
        n += got = fread(text + n, 1, 65536, f);
    } while (got);
    text[n] = 0;
    return text;
}

// The length of a blank or of a comment; 0: something else begins at s.
static size_t gap_length(const char *s)
{
    const char *end;

    if (isspace((unsigned char)*s))
        return 1;
    if (s[0] == '/' && s[1] == '/')
        return strcspn(s, "\n");
    if (s[0] != '/' || s[1] != '*')
        return 0;
    end = strstr(s + 2, "*/");
    return end ? (size_t)(end + 2 - s) : strlen(s);
}

static size_t any_length(const char *s)
{
    size_t n = lex_number(s);

    n = n ? n : lex_word(s);
    n = n ? n : lex_literal(s);
    return n ? n : 1;
}

// An included file that is beside the file that includes it, or where its path leads from there.
static void add_included(struct sources *s, const char *from, const char *name, size_t length)
{
    const char *end = strrchr(from, '/');

    add_file(s, text_of("%.*s%.*s", end ? (int)(end + 1 - from) : 0, from, (int)length, name));
}

static void add_text(struct sources *s, const char *path, const char *at)
{
    int includes = 0;

    while (*at) {
        size_t gap = gap_length(at), n;

        if (gap) {
            at += gap;
            continue;
        }
        n = any_length(at);
        add_bytes(s, at, n);
        if (includes && *at == '"')
            add_included(s, path, at + 1, n - 2);
        includes = n == 7 && !strncmp(at, "include", 7);
        at += n;
    }
}

static void add_file(struct sources *s, const char *path)
{
    FILE *f;
    char *text;

    for (int k = 0; k < s->n; k++)
        if (!strcmp(s->path[k], path))
            return;
    f = fopen(path, "r");
    if (!f)
        return;
    s->path = grown(s->path, s->n, sizeof *s->path);
    s->path[s->n++] = text_of("%s", path);
    text = content_of(f);
    fclose(f);
    add_text(s, path, text);
    free(text);
}

int model_code_is_recorded(const struct model_code *code) { return code->words != 0; }

int model_code_is_of(const struct model_code *code, const char *source)
{
    return !code->words || code->words == words_of_source(source);
}

uint64_t words_of_source(const char *path)
{
    struct sources s = { .words = 0xcbf29ce484222325 };

    add_file(&s, path);
    free(s.path);
    return s.n ? s.words : 0;
}
