#include "visible.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "program.h"
#include "sha256.h"

// The bytes of the UTF-8 character at the start of a text, and its code point in *code; 0 if there
// is none: also for one that is longer than necessary, a surrogate, or above U+10FFFF.
static int character(const char *text, unsigned long *code)
{
    static const unsigned long least[5] = { 0, 0, 0x80, 0x800, 0x10000 };
    unsigned char first = (unsigned char)text[0];
    int n = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 0;

    if (n < 2) {
        *code = first;
        return n;
    }
    *code = first & (0x7Fu >> n);
    for (int i = 1; i < n; i++) {
        if (!goes_on(text[i]))
            return 0;
        *code = *code << 6 | (text[i] & 0x3F);
    }
    if (first > 0xF4 || *code < least[n] || (*code >= 0xD800 && *code < 0xE000) || *code > 0x10FFFF)
        return 0;
    return n;
}

// Whether a terminal executes a character or does not show it.
static int is_invisible(unsigned long code)
{
    static const unsigned long range[][2] = {
        { 0, 0x1F },           // C0
        { 0x7F, 0x9F },        // DEL, C1
        { 0xAD, 0xAD },        // soft hyphen
        { 0x61C, 0x61C },      // Arabic letter mark
        { 0x180E, 0x180E },    // Mongolian vowel separator
        { 0x200B, 0x200F },    // of no width; marks of direction
        { 0x2028, 0x202E },    // separators of lines; embeddings and overrides of direction
        { 0x2060, 0x206F },    // word joiner to isolates and deprecated controls
        { 0xFEFF, 0xFEFF },    // byte order mark
        { 0xFFF9, 0xFFFB },    // annotations
        { 0xE0000, 0xE0FFF }   // tags
    };

    for (size_t i = 0; i < sizeof range / sizeof *range; i++)
        if (code >= range[i][0] && code <= range[i][1])
            return 1;
    return 0;
}

static char *escaped(const char *text, int is_name)
{
    enum { MOST = 10 };   // of the characters that replace one byte
    char *result = must_malloc(MOST * strlen(text) + 1), *to = result;
    unsigned long code;

    while (*text) {
        int n = character(text, &code);

        if (!n || (n == 1 && is_invisible(code)))
            to += sprintf(to, "\\x%02x", (unsigned char)*text);
        else if (is_invisible(code))
            to += sprintf(to, code > 0xFFFF ? "\\U%08lx" : "\\u%04lx", code);
        else if (is_name && code == '\\')
            to += sprintf(to, "\\\\");
        else
            to += sprintf(to, "%.*s", n, text);
        text += n ? n : 1;
    }
    *to = '\0';
    return result;
}

char *visible_text(const char *text) { return escaped(text, 0); }
char *visible_name(const char *name) { return escaped(name, 1); }

static char *guarded_field(char *text, const char *guarded)
{
    return text[0] && strchr(guarded, text[0]) ? text_of("'%s", text) : text;
}

char *field_of_text(const char *text) { return guarded_field(visible_text(text), "=+-@#"); }
char *field_of_name(const char *name) { return guarded_field(visible_name(name), "=+-@#'"); }

char *file_name_of(const char *name)
{
    enum { MOST = 180, KEPT = 140 };   // file systems allow 255 bytes
    char *result = must_malloc(3 * strlen(name) + 1), *to = result, hash[SHA256_TEXT];
    const char *all = name;
    unsigned long code;

    while (*name) {
        int n = character(name, &code);
        int plain = n == 1 ? isalnum((int)code) || code == '_' ||
                                 (name > all && strchr(" .-@+,()'", (int)code))
                           : n > 1 && !is_invisible(code);

        if (plain)
            to += sprintf(to, "%.*s", n, name);
        else
            to += sprintf(to, "%%%02x", (unsigned char)*name), n = 1;
        name += n;
    }
    *to = '\0';
    if (to - result <= MOST)
        return result;
    sha256(all, strlen(all), hash);
    return text_of("%s-%.16s", text_head(result, KEPT), hash);
}
