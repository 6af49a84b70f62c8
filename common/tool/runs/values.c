// Accesses that g++ does not announce: arguments that a call copies from memory, and results that
// it stores there, when the value is a struct. They are found in the compiler's own list of
// statements (-fdump-tree-optimized-lineno-uid), in which an operand of a call is either a local
// variable, a constant, or memory.
#include "runs.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Files whose code the CPU device or the course wrote.
static const char *const own_files[] = { "/emu/include/", "/common/stage/" };

static int is_name_character(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c > 127;
}

// The length of a location "[file:line:column] " at s; 0: none is there.
static size_t location_at(const char *s)
{
    size_t n = s[0] == '[' ? strcspn(s, "]\n") : 0, colons = 0;

    for (size_t i = 0; i < n; i++)
        colons += s[i] == ':';
    return n && s[n] == ']' && colons >= 2 ? n + 1 + (s[n + 1] == ' ') : 0;
}

// Removes the locations of a statement, in place. *where gets the text of the first one, or "".
static void take_locations(char *line, const char **where)
{
    char *to = line;

    *where = "";
    while (*line) {
        size_t n = location_at(line);

        if (n && !**where)
            *where = text_of("%.*s", (int)n - 2, line + 1);
        if (n)
            line += n;
        else
            *to++ = *line++;
    }
    *to = '\0';
}

// The names of the local variables and parameters of a function: where they are declared in the
// text, whose lines end with zeros.
struct locals {
    const char *from, *to;
    const char *functions;   // is_function()
};

// A name with its number, as exampleD.123, or D.123: that of one variable alone.
static size_t name_at(const char *s)
{
    size_t n = 0;

    while (is_name_character(s[n]))
        n++;
    if (n && s[n - 1] == 'D' && s[n] == '.')
        n += 1 + strspn(s + n + 1, "0123456789");
    return n;
}

static int is_local(const struct locals *l, const char *name, size_t n)
{
    for (const char *at = l->from; at + n < l->to; at++)
        if (memcmp(at, name, n) == 0 && !is_name_character(at[n]) &&
            (at == l->from || !is_name_character(at[-1])))
            return 1;
    return 0;
}

// _12 and name_12(D) are in registers.
static int is_register(const char *name, size_t n)
{
    size_t digits = 0;

    while (digits < n && isdigit((unsigned char)name[n - 1 - digits]))
        digits++;
    return digits && digits < n && name[n - 1 - digits] == '_';
}

// Whether the operand of n characters is a function: its name, or "__dt_comp D.123", a destructor.
// `functions` has the numbers of those in the list: " 123 456 ".
static int is_function(const char *functions, const char *name, size_t n)
{
    static const char *const made[] = { "__dt_comp D.", "__dt_base D.", "__dt_del D.",
                                        "__ct_comp D.", "__ct_base D." };
    size_t digits = 0;

    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        if (strncmp(name, made[i], strlen(made[i])) == 0)
            return 1;
    while (digits < n && isdigit((unsigned char)name[n - 1 - digits]))
        digits++;
    return digits && digits + 2 < n && strncmp(name + n - digits - 2, "D.", 2) == 0 &&
           strstr(functions, text_of(" %.*s ", (int)digits, name + n - digits));
}

// Whether an operand of a call, which ends at `end`, is memory other than the function's own
// variables.
static int is_memory(const struct locals *l, const char *at, const char *end)
{
    size_t n;

    at += strspn(at, " ");
    if (*at == '*' || *at == '(' || strncmp(at, "MEM", 3) == 0)   // *p, (*p)[i]
        return strncmp(at, "*<retval>", 9) != 0;
    // a destructor, of which the address is passed; a submission may not use such names
    if (strncmp(at, "__dt_", 5) == 0)
        return 0;
    if (!isalpha((unsigned char)*at) && *at != '_')
        return 0;   // a constant, an address, a text, or <retval>
    for (const char *arrow = at; arrow + 1 < end; arrow++)
        if (arrow[0] == '-' && arrow[1] == '>')
            return 1;
    n = name_at(at);
    return !is_register(at, n) && !is_local(l, at, n) && !is_function(l->functions, at, n);
}

// The "(" that opens the arguments of the call in a statement, or NULL: "x = name (a, b);".
static const char *arguments_of(const char *statement)
{
    const char *at = statement, *equals = strstr(statement, " = "), *end = strstr(at, ");");
    int depth = 0;

    if (!end || strncmp(at, "if (", 4) == 0 || strncmp(at, "switch (", 8) == 0)
        return NULL;
    at = equals && equals < end ? equals + 3 : at;
    if (!isalpha((unsigned char)*at) && *at != '_')
        return NULL;
    for (; at < end; at++) {
        if (depth == 0 && at[0] == ' ' && at[1] == '(')
            return at + 1;
        if (depth == 0 && at[0] == ' ' && !equals)
            return NULL;
        depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
    }
    return NULL;
}

// Replaces what is between quotes by other characters: a text may look like a part of a statement.
static void hide_texts(char *line)
{
    for (; *line; line++) {
        if (*line != '"')
            continue;
        for (line++; *line && *line != '"'; line++) {
            if (*line == '\\' && line[1])
                *line++ = 'x';
            *line = 'x';
        }
        if (!*line)
            return;
    }
}

// Checks a statement. Returns 1 if a call reads or stores memory directly.
static int has_memory(const struct locals *l, const char *statement)
{
    const char *open = arguments_of(statement), *equals = strstr(statement, " = ");
    int depth = 0;

    if (!open)
        return 0;
    if (equals && equals < open && is_memory(l, statement, equals))
        return 1;
    for (const char *at = open + 1, *from = at; *at; at++) {
        if (depth == 0 && (*at == ',' || *at == ')')) {
            if (is_memory(l, from, at))
                return 1;
            from = at + 1;
        }
        depth += strchr("([{", *at) ? 1 : strchr(")]}", *at) ? -1 : 0;
        if (depth < 0)
            break;
    }
    return 0;
}

// The numbers of the functions in the list.
static const char *function_numbers(const char *list)
{
    static const char begin[] = "\n;; Function ", number[] = "decl_uid=";
    char *all = must_malloc(strlen(list) + 2);
    size_t n = 0;

    all[n++] = ' ';
    for (const char *at = list; (at = strstr(at, begin)); at++) {
        const char *uid = strstr(at, number);

        if (!uid)
            break;
        uid += strlen(number);
        for (at = uid; isdigit((unsigned char)*at); at++)
            all[n++] = *at;
        all[n++] = ' ';
    }
    all[n] = '\0';
    return all;
}

static int is_own(const char *where)
{
    for (size_t i = 0; i < sizeof own_files / sizeof *own_files; i++)
        if (strstr(where, own_files[i]))
            return 1;
    return !*where;
}

// Where the values of calls are in memory: calls each(context, location) for each such statement,
// "file:line:column", until it returns 0.
static void each_value(const char *path, int (*each)(void *context, const char *where),
                       void *context)
{
    char *list = read_text(path);
    struct locals l = { .functions = function_numbers(list) };
    int declares = 0;

    for (char *line = list, *next; *line; line = next) {
        size_t n = strcspn(line, "\n");
        const char *where, *statement = line;

        next = line + n + (line[n] == '\n');
        line[n] = '\0';
        if (strncmp(line, ";; Function", 11) == 0) {
            l.from = l.to = line;
            declares = 1;
            continue;
        }
        hide_texts(line);
        take_locations(line, &where);
        declares = declares && !strstr(line, "<bb ");
        statement += strspn(statement, " ");
        if (declares && strncmp(statement, "static ", 7) == 0)
            memset(line, ' ', n);
        if (declares)
            l.to = next;
        else if (!is_own(where) && has_memory(&l, statement) && !each(context, where))
            return;
    }
}

// The line of a location.
static int line_of(const char *where)
{
    return atoi(strchr(where, ':') ? strchr(where, ':') + 1 : "");
}

static int keep_first(void *context, const char *where)
{
    *(const char **)context = where;
    return 0;
}

static const char *wrong_value(const char *where)
{
    const char *file = text_of("%.*s", (int)strcspn(where, ":"), where), *slash;

    if (strstr(file, ".cu"))
        return text_of("line %d: a struct in memory is passed or returned by value, which cannot "
                       "be counted; copy it to or from a local variable",
                       line_of(where));
    slash = strrchr(file, '/');
    return text_of("a function with a struct as its parameter or result is passed to the C++ "
                   "library (%s), which cannot be counted; use references: const T &",
                   text_head(slash ? slash + 1 : file, 40));
}

const char *value_in_memory(const char *path)
{
    const char *where = NULL;

    each_value(path, keep_first, &where);
    return where ? wrong_value(where) : NULL;
}

// Whether a location is in the device code that the source pass names.
static int is_on_device(const char *where, const char *pass)
{
    static const char mark[] = "\n// device code: ";
    size_t n = strcspn(where, ":");
    int first, last, from;

    for (; (pass = strstr(pass, mark)); pass++)
        if (sscanf(pass + strlen(mark), "%d %d %n", &first, &last, &from) == 2 &&
            line_of(where) >= first && line_of(where) <= last &&
            strncmp(pass + strlen(mark) + from, where, n) == 0)
            return 1;
    return 0;
}

struct warnings {
    const char *pass, *last;
};

static int print_value(void *context, const char *where)
{
    struct warnings *w = context;
    const char *at = text_of("%.*s:%d", (int)strcspn(where, ":"), where, line_of(where));

    if (strcmp(at, w->last) != 0 && is_on_device(where, w->pass))
        fprintf(stderr,
                "%s: warning: a struct in memory is passed or returned by value: the CPU device "
                "neither checks nor counts these accesses; copy it to or from a local variable "
                "first\n",
                at);
    w->last = at;
    return 1;
}

// ladder values TREE PASS: warns of a kernel's accesses that g++ does not announce. TREE is its
// list of statements, PASS what the source pass wrote.
enum status command_values(struct arguments a)
{
    struct warnings w = { NULL, "" };

    if (a.n != 2)
        fail("values: expected a list of statements, and the output of the source pass");
    w.pass = read_text(a.word[1]);
    each_value(a.word[0], print_value, &w);
    return STATUS_OK;
}
