#define _GNU_SOURCE   // strsep
#include "text.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <regex.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "folders.h"

char *trimmed(char *s)
{
    size_t n;

    s += strspn(s, " \t\r\n");
    for (n = strlen(s); n && isspace((unsigned char)s[n - 1]);)
        s[--n] = '\0';
    return s;
}

static char *all_of(FILE *file, size_t *length)
{
    char *text, buffer[4096];
    size_t n;
    FILE *memory = open_memstream(&text, length);

    while ((n = fread(buffer, 1, sizeof buffer, file)) > 0)
        fwrite(buffer, 1, n, memory);
    fclose(memory);
    return text;
}

static char *read_bytes(const char *path, size_t *length)
{
    FILE *file = fopen(path, "r");
    char *text = file ? all_of(file, length) : NULL;

    if (!file || ferror(file))
        fail("%s: %s", path, strerror(errno));
    fclose(file);
    return text;
}

char *read_text(const char *path) { return read_bytes(path, &(size_t){ 0 }); }

void write_if_changed(const char *path, const char *text)
{
    char *unfinished = text_of("%s.%d.new", path, (int)getpid());
    FILE *file;

    if (access(path, R_OK) == 0 && strcmp(read_text(path), text) == 0)
        return;
    file = fopen(unfinished, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0 || rename(unfinished, path) != 0)
        fail("%s: cannot be written: %s", path, strerror(errno));
}

char *output_of(const char *command, int *failed)
{
    FILE *pipe = popen(command, "r");
    size_t length;
    char *text = pipe ? all_of(pipe, &length) : NULL;

    if (!pipe)
        fail("%s: cannot be started", command);
    *failed = pclose(pipe) != 0;
    return text;
}

struct lines lines_of(const char *path, const char *name)
{
    struct lines l = { name, NULL, NULL, 0 };
    size_t n = 0;
    int line = 1;

    if (access(path, R_OK) != 0)
        return l;
    l.rest = read_bytes(path, &n);
    for (size_t i = 0; i < n; line += l.rest[i++] == '\n')
        if (iscntrl((unsigned char)l.rest[i]) && !isspace((unsigned char)l.rest[i]))
            fail("%s:%d: byte %d; expected lines of text", name, line, l.rest[i]);
    if (n == 0)
        fail("%s: is empty; expected lines of text, or no such file", name);
    return l;
}

char *next_line(struct lines *l)
{
    char *line;

    while ((line = strsep(&l->rest, "\n"))) {
        l->number++;
        line = trimmed(line);
        if (line[0] && line[0] != '#') {
            l->where = text_of("%s:%d", l->name, l->number);
            return line;
        }
    }
    return NULL;
}

struct arguments files_like(const char *folder, const char *pattern, ...)
{
    char name[PATH_MAX];
    struct files found;
    va_list args;

    va_start(args, pattern);
    vsnprintf(name, sizeof name, pattern, args);
    va_end(args);
    found = files_in(folder, name);
    return (struct arguments){ (int)found.n, found.path };
}

char *stem_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;

    return text_of("%.*s", (int)strcspn(base, "."), base);
}

int matches(const char *text, const char *pattern)
{
    regex_t regex;
    int found = regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB) == 0 &&
                regexec(&regex, text, 0, NULL, 0) == 0;

    regfree(&regex);
    return found;
}

const char *shell_word(const char *text)
{
    char *quoted, *to;
    int plain = text[0] && text[0] != '-';

    for (const char *c = text; *c; c++)
        plain &= isalnum((unsigned char)*c) || strchr("/._+-,:@", *c) != NULL;
    if (plain)
        return text;
    to = quoted = must_malloc(4 * strlen(text) + 3);
    *to++ = '\'';
    for (; *text; text++)
        to += *text == '\'' ? sprintf(to, "'\\''") : sprintf(to, "%c", *text);
    strcpy(to, "'");
    return quoted;
}
