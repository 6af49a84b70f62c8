// Code with the defaults of its knobs.
#define _GNU_SOURCE   // strsep
#include "text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *find_name(const char *text, const char *name)
{
    size_t n = strlen(name);

    for (const char *at = text; (at = strstr(at, name)); at += n)
        if ((at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_')) &&
            !isalnum((unsigned char)at[n]) && at[n] != '_')
            return at;
    return NULL;
}

// The end of an operand of ?: at `at`: the first ':', ',', ';' or bracket that ends it; "": on
// another line.
static const char *operand_end(const char *at)
{
    for (int depth = 0; *at && (depth || !strchr(":,;)]}", *at)); at++) {
        if (at[0] == ':' && at[1] == ':')
            at++;
        depth += strchr("([{?", *at) != NULL;
        depth -= strchr(")]}", *at) != NULL || (*at == ':' && at[-1] != ':');
    }
    return *at == ':' && at[1] == ':' ? operand_end(at + 2) : at;
}

const char *with_choice(const char *line, const char *name, int is_set)
{
    const char *at = find_name(line, name), *a, *b, *end;

    if (!at || strncmp(at + strlen(name), " ? ", 3) != 0)
        return line;
    a = at + strlen(name) + 3, b = operand_end(a);
    if (*b != ':')
        return line;
    end = operand_end(b + 2);
    if (!*end)
        return line;
    const char *chosen =
        is_set ? text_of("%.*s", (int)(b - 1 - a), a) : text_of("%.*s", (int)(end - b - 2), b + 2);
    int is_word = !chosen[strspn(chosen, "abcdefghijklmnopqrstuvwxyz_")];

    if (is_word && at - line > 1 && at[-1] == '(' && at[-2] == ' ' && *end == ')')
        at--, end++;
    return text_of("%.*s%s%s", (int)(at - line), line, chosen, end);
}

const char *with_default_knobs(const char *path, const char *line)
{
    char name[64], value[64];
    char *text = access(path, R_OK) == 0 ? read_text(path) : NULL, *next;

    while (text && (next = strsep(&text, "\n")))
        if (sscanf(next, "#define %63s %63s", name, value) == 2 && isdigit((unsigned char)value[0]))
            line = with_choice(line, name, atoi(value) != 0);
    return line;
}
