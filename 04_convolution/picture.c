#include "picture.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../common/base/program.h"

#define ACCEPTED "expected a binary PGM (P5) of 8-bit pixels"

// Reads a character of the header. Skips a comment up to the end of its line.
static int header_char(FILE *file)
{
    int c = getc(file);

    if (c == '#')
        while (c != '\n' && c != EOF)
            c = getc(file);
    return c;
}

// Reads a number of the header, after blanks; -1 if there is none.
static long header_number(FILE *file)
{
    int c = header_char(file);
    long value = 0;

    while (isspace(c))
        c = header_char(file);
    if (!isdigit(c))
        return -1;
    for (; isdigit(c); c = header_char(file))
        if (value <= INT_MAX)
            value = 10 * value + c - '0';
    return isspace(c) ? value : -1;   // exactly one blank ends a number
}

static const char *parse(FILE *file, struct picture *p)
{
    char kind[2];
    long width, height, most;
    size_t all, got;

    if (fread(kind, 1, 2, file) != 2 || kind[0] != 'P' || !isdigit((unsigned char)kind[1]))
        return "no PGM; " ACCEPTED;
    if (kind[1] != '5')
        return text_of("a picture of kind P%c; " ACCEPTED, kind[1]);
    width = header_number(file);
    height = width < 0 ? -1 : header_number(file);
    most = height < 0 ? -1 : header_number(file);
    if (most < 0)
        return "a header without width, height and largest value; " ACCEPTED;
    if (width == 0 || height == 0)
        return text_of("%ld x %ld pixels; " ACCEPTED, width, height);
    if (width > INT_MAX / height)
        return "its pixels are too many; expected fewer than 2^31";
    if (most != 255)
        return text_of("its largest value is %ld, not 255; " ACCEPTED, most);
    all = (size_t)width * height;
    *p = (struct picture){ (int)width, (int)height, malloc(all) };
    if (!p->pixels)
        return text_of("%zu pixels do not fit into memory", all);
    got = fread(p->pixels, 1, all, file);
    return got < all ? text_of("it ends after %zu of %zu pixels; " ACCEPTED, got, all) : NULL;
}

const char *picture_read(const char *name, struct picture *p)
{
    FILE *file = fopen(name, "rb");
    struct stat is;
    const char *fault;

    *p = (struct picture){ 0 };
    if (!file)
        return text_of("%s; " ACCEPTED, strerror(errno));
    if (fstat(fileno(file), &is) == 0 && S_ISDIR(is.st_mode))
        fault = "a folder; " ACCEPTED;
    else
        fault = parse(file, p);
    fclose(file);
    if (fault)
        free(p->pixels);
    return fault;
}

const char *picture_refused(const char *name)
{
    const char *slash = strrchr(name, '/');
    char folder[PATH_MAX];
    struct stat is;

    if (snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - name + 1) : 2,
                 slash ? name : "./") >= PATH_MAX - 16 ||
        !name[0])
        return "no name for a file; expected a file that can be written";
    if (stat(name, &is) == 0 && !S_ISREG(is.st_mode))
        return "no ordinary file; expected a file that can be written";
    if (access(folder, W_OK) < 0 || (access(name, F_OK) == 0 && access(name, W_OK) < 0))
        return text_of("%s; expected a file that can be written", strerror(errno));
    return NULL;
}

const char *picture_write(const char *name, const struct picture *p)
{
    char unfinished[PATH_MAX];
    mode_t mask = umask(0);
    FILE *file = NULL;
    const char *why;
    int number, done;

    umask(mask);
    snprintf(unfinished, sizeof unfinished, "%s.XXXXXX", name);
    number = mkstemp(unfinished);
    if (number >= 0)
        file = fdopen(number, "wb");
    if (!file)
        return text_of("%s: %s", name, strerror(errno));
    done = fprintf(file, "P5\n%d %d\n255\n", p->width, p->height) > 0;
    done = done && fwrite(p->pixels, p->width, p->height, file) == (size_t)p->height;
    done = fchmod(number, 0666 & ~mask) == 0 && done;
    done = fclose(file) == 0 && done;
    if (done && rename(unfinished, name) == 0)
        return NULL;
    why = text_of("%s: %s", name, strerror(errno));
    unlink(unfinished);
    return why;
}
