#define _GNU_SOURCE   // program_invocation_short_name, vasprintf
#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// open() returns the lowest number that is free.
void occupy_standard_descriptors(void)
{
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
        if (fcntl(i, F_GETFD) < 0 && errno == EBADF)
            open("/dev/null", O_RDONLY);
}

static die_handler *last_words;
static void *last_context;

void on_die(die_handler *handler, void *context)
{
    last_words = handler;
    last_context = context;
}

// Returns the message. One that quotes a long value is printed without the middle of it.
static const char *complain(const char *format, va_list arguments)
{
    enum { MOST = 1500, END = 500 };
    char *text;
    size_t n;

    fflush(stdout);
    if (vasprintf(&text, format, arguments) < 0)
        text = (char *)format;
    n = strlen(text);
    if (n > MOST)
        fprintf(stderr, "%s: %s ... %s\n", program_invocation_short_name,
                text_head(text, MOST - END), text + n - END);
    else
        fprintf(stderr, "%s: %s\n", program_invocation_short_name, text);
    return text;
}

void warn(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    complain(format, arguments);
    va_end(arguments);
}

void die(enum status status, const char *format, ...)
{
    va_list arguments;
    const char *message;

    va_start(arguments, format);
    message = complain(format, arguments);
    va_end(arguments);
    if (last_words) {
        die_handler *handler = last_words;

        last_words = NULL;   // the handler may call die(), too
        handler(last_context, status, message);
    }
    exit(status);
}

enum status finish(enum status status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    warn("stdout: cannot be written: %s", strerror(errno));
    return status == STATUS_OK ? STATUS_USAGE : status;
}

void *must_malloc(size_t bytes)
{
    void *p = malloc(bytes ? bytes : 1);

    if (!p)
        die(STATUS_ERROR, "out of memory: %.3f GB on the host", bytes / 1e9);
    return p;
}

void *must_calloc(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size);

    if (!p)
        die(STATUS_ERROR, "out of memory: %.3f GB on the host", n * size / 1e9);
    return p;
}

void *grown(void *array, size_t n, size_t size)
{
    if (n & (n - 1))   // it has room for the next power of two
        return array;
    array = realloc(array, (n ? 2 * n : 1) * size);
    if (!array)
        die(STATUS_ERROR, "out of memory: %.3f GB on the host", 2 * n * size / 1e9);
    return array;
}

char *text_of_list(const char *format, va_list arguments)
{
    char *text;

    if (vasprintf(&text, format, arguments) < 0)
        die(STATUS_ERROR, "out of memory");
    return text;
}

char *text_of(const char *format, ...)
{
    va_list arguments;
    char *text;

    va_start(arguments, format);
    text = text_of_list(format, arguments);
    va_end(arguments);
    return text;
}

int goes_on(char c) { return ((unsigned char)c & 0xC0) == 0x80; }

char *on_one_line(char *text)
{
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = ' ';
    return text;
}

char *whole_characters(char *text)
{
    size_t n = strlen(text), start = n;
    unsigned char first;
    size_t bytes;

    while (start > 0 && n - start < 3 && goes_on(text[start - 1]))
        start--;
    first = start > 0 ? (unsigned char)text[start - 1] : 0;
    bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
    if (bytes > n - start + 1)
        text[start - 1] = '\0';
    return text;
}

char *text_head(const char *text, size_t most)
{
    return whole_characters(text_of("%.*s", (int)most, text));
}

size_t characters_of(const char *text)
{
    size_t n = 0;

    for (; *text; text++)
        n += !goes_on(*text);
    return n;
}

const char *next_word(const char **list)
{
    const char *word = *list + strspn(*list, " \t\r");
    size_t n = strcspn(word, " \t\r");

    *list = word + n;
    return n ? text_of("%.*s", (int)n, word) : NULL;
}

int has_word(const char *list, const char *word)
{
    size_t n = strlen(word);

    for (list += strspn(list, " "); *list; list += strspn(list, " ")) {
        size_t length = strcspn(list, " ");

        if (length == n && memcmp(list, word, n) == 0)
            return 1;
        list += length;
    }
    return 0;
}

const char *word_value(const char *list, const char *name)
{
    size_t n = strlen(name);
    const char *word;

    while ((word = next_word(&list)))
        if (strncmp(word, name, n) == 0 && word[n] == '=')
            return word + n + 1;
    return NULL;
}

const char *joined(const char *text, const char *separator, const char *more)
{
    return text_of("%s%s%s", text, text[0] && more[0] ? separator : "", more);
}

const char *with_word(const char *list, const char *word) { return joined(list, " ", word); }

int same(const char *a, const char *b) { return strcmp(a, b) == 0; }

double seconds_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}
