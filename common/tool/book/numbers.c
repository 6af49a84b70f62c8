// Checks the numbers in a page's prose against their sources. A comment, which a reader of the page
// does not see, names the sources of the numbers in its section:
//
//   <!-- numbers (sm_90, 16384x16384) [TABLE...]: 0.55 = stage1.rate / 1000; 24 = ... -->
//   <!-- numbers computed: 4 = 128 / 32; 3 = ceil(2.5) -->
//   <!-- numbers printed by COMMAND: 2, 8192 -->
//   <!-- numbers from FILE: 12.3, 45.6 -->            each is in the file
//   <!-- numbers from FILE, rounded: 12, 46 -->       a number of the file rounds to each
//   <!-- numbers from FILE, stage8[, rounded]: ... --> only of lines that have the word stage8
//   <!-- numbers from SOURCE: 12.3 -->                a citation, which is not looked up
//
// In the first two forms, an expression may have numbers of the machine (common/machine), each as
// GPU:NAME, for example 3 = 4096 / h200:mma.bf16.rate.
//
// In the first form, place and terms are those of claims, in the second there are no terms. A place
// that names a GPU, (H100, ...), is about the runs in plots/data/h100. The value must round to the
// number as the page writes it. Default tables: ladder and counts of the page's week. A section is
// the text from one heading to the next. Each number of a comment must be in its section, and each
// number with a unit that is measured must be in a comment of its section. Generated blocks and
// blocks of code need no comment.
#define _GNU_SOURCE   // strsep
#include "book.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "value.h"

static const char *const units[] = { "GB/s",    "TB/s",    "GFLOP/s", "TFLOP/s", "us", "ms",
                                     "\u00b5s", "\u03bcs", "%",       "times",   "x" };

struct checking {
    const char *path;
    struct page page;
    const char *week;   // the name of its folder
    int runs_commands;
    int faults;
};

// A section without its comments and its blocks, and the numbers that its comments list.
struct section {
    int line;      // of its heading
    char *text;    // what readers see
    char *prose;   // the same without blocks
    char **listed;
    int n_listed;
};

static void fault(struct checking *p, int line, const char *what)
{
    fprintf(stderr, "%s:%d: %s\n", p->path, line, what);
    p->faults++;
}

// --- numbers in text

static size_t number_length(const char *s)
{
    size_t n = 0;

    while (isdigit((unsigned char)s[n]) ||
           ((s[n] == '.' || s[n] == ',') && n > 0 && isdigit((unsigned char)s[n - 1]) &&
            isdigit((unsigned char)s[n + 1])))
        n++;
    return n;
}

// Whether a number can begin at s, which is part of `text`: not inside a word or another number.
static int begins_number(const char *text, const char *s)
{
    char before = s > text ? s[-1] : ' ';

    return isdigit((unsigned char)*s) && !isalnum((unsigned char)before) && before != '_' &&
           !((before == '.' || before == ',') && s - text > 1 && isdigit((unsigned char)s[-2]));
}

static int has_number(const char *text, const char *number)
{
    size_t n = strlen(number);

    for (const char *s = text; (s = strstr(s, number)); s++)
        if (begins_number(text, s) && number_length(s) == n)
            return 1;
    return 0;
}

// The value of a number as it is written, and half a unit of its last decimal.
static double value_of(const char *number, double *half)
{
    char digits[64];
    int n = 0, decimals = 0, point = 0;

    for (; *number && n < 63; number++) {
        if (*number == ',')
            continue;
        decimals += point;
        point |= *number == '.';
        digits[n++] = *number;
    }
    digits[n] = '\0';
    *half = 0.5 * pow(10, -decimals);
    return strtod(digits, NULL);
}

// The unit after a number, if it is one of units[].
static const char *unit_after(const char *s)
{
    s += strspn(s, " \n");
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t n = strlen(units[i]);

        if (strncmp(s, units[i], n) != 0 || isalnum((unsigned char)s[n]))
            continue;
        // "32 x 32" is a shape.
        if (strcmp(units[i], "x") == 0 && isdigit((unsigned char)s[n + strspn(s + n, " \n")]))
            continue;
        return units[i];
    }
    return NULL;
}

// --- comments

static void list_number(struct checking *p, struct section *s, int line, const char *number)
{
    s->listed = grown(s->listed, s->n_listed, sizeof *s->listed);
    s->listed[s->n_listed++] = text_of("%s", number);
    if (!number[0] || number_length(number) != strlen(number))
        fault(p, line, text_of("'%s' is not a number", number));
    else if (!has_number(s->text, number))
        fault(p, line, text_of("%s is not in the text of this section", number));
}

// The folder of the recorded run that a place is about: "cpu/" of "(cpu, ...)", "h100/" of
// "(H100, ...)"; "" for the default one.
static const char *folder_of_place(const char *place)
{
    int n = (int)strcspn(place + 1, ", )");
    char *folder = text_of("%.*s/", n, place + 1);

    if (strncmp(folder, "cpu/", 4) != 0 && !isupper((unsigned char)folder[0]))
        return "";
    for (char *c = folder; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return folder;
}

// The tables that a comment names or, without names, those of the page's week.
static struct table tables_of(const struct checking *p, const char *names, const char *place)
{
    struct arguments a = { 0, NULL };
    const char *folder = folder_of_place(place), *word;

    if (!names[strspn(names, " ")])
        names = !folder[0]           ? text_of("%s.ladder %s.counts", p->week, p->week)
              : same(folder, "cpu/") ? text_of("%s.counts", p->week)
                                     : text_of("%s.ladder", p->week);
    while ((word = next_word(&names))) {
        a.word = grown(a.word, a.n, sizeof *a.word);
        a.word[a.n++] = text_of("%s%s", strchr(word, '/') ? "" : folder, word);
    }
    return read_tables(&a);
}

static void check_value(struct checking *p, int line, struct measured *m, const char *place,
                        const char *number, const char *expression)
{
    double half, shown = value_of(number, &half), value = NAN;
    const char *filled = expression, *error = fill_in_machine(&filled);

    if (!error)
        error =
            place ? evaluate_measured(m, place, filled, &value) : evaluate_computed(filled, &value);
    if (!error && !(fabs(value - shown) <= half * (1 + 1e-9)))
        error = text_of("is %.6g", value);
    if (error)
        fault(p, line, text_of("%s = %s: %s", number, expression, error));
}

// "NUMBER = EXPRESSION; ...". Without a place the expressions have no measured values.
static void check_items(struct checking *p, struct section *s, int line, char *list,
                        struct measured *m, const char *place)
{
    char *item;

    while ((item = strsep(&list, ";"))) {
        char *equal = strchr(item, '=');

        if (!equal && !trimmed(item)[0])
            continue;
        if (!equal) {
            fault(p, line, text_of("'%s': expected NUMBER = EXPRESSION", trimmed(item)));
            continue;
        }
        *equal = '\0';
        list_number(p, s, line, trimmed(item));
        check_value(p, line, m, place, trimmed(item), trimmed(equal + 1));
    }
}

// "(PLACE) TABLE...: NUMBER = EXPRESSION; ..."
static void check_values(struct checking *p, struct section *s, int line, char *text)
{
    char *close = strchr(text, ')'), *list = close ? strchr(close, ':') : NULL;
    struct measured m = { .owner = NULL };

    if (!list) {
        fault(p, line, "expected (PLACE) [TABLE...]: NUMBER = EXPRESSION; ...");
        return;
    }
    *list++ = '\0';
    m.table = tables_of(p, close + 1, text);
    check_items(p, s, line, list, &m, text_of("%.*s", (int)(close + 1 - text), text));
}

// Whether a number of the text, as it is written there, rounds to this one.
static int has_rounded(const char *text, const char *number)
{
    double half, shown = value_of(number, &half), any;

    for (const char *s = text; *s; s += begins_number(text, s) ? number_length(s) : 1)
        if (begins_number(text, s) &&
            fabs(value_of(text_of("%.*s", (int)number_length(s), s), &any) - shown) <= half)
            return 1;
    return 0;
}

// Checks the numbers of a list. Each must be in the text `source`, as `is_in` says, unless that
// is NULL.
static void check_list(struct checking *p, struct section *s, int line, char *list,
                       const char *source, const char *name,
                       int (*is_in)(const char *text, const char *number))
{
    char *number;

    while ((number = strsep(&list, "; \n"))) {
        size_t n = strlen(number);

        if (n && number[n - 1] == ',')
            number[n - 1] = '\0';
        if (!number[0])
            continue;
        list_number(p, s, line, number);
        if (source && !is_in(source, number))
            fault(p, line, text_of("%s is not in '%s'", number, name));
    }
}

// The lines of a text that have a word.
static const char *lines_with(const char *text, const char *word)
{
    const char *lines = "";

    for (size_t n; *text; text += n + (text[n] == '\n')) {
        const char *line = text_of("%.*s", (int)(n = strcspn(text, "\n")), text), *at = line;
        size_t length;

        for (; *at; at += length + strspn(at + length, " \t")) {
            length = strcspn(at, " \t");
            if (length == strlen(word) && memcmp(at, word, length) == 0)
                break;
        }
        if (*at)
            lines = text_of("%s%s\n", lines, line);
    }
    return lines;
}

// "FILE[, WORD][, rounded]", or words that cite a source.
static void check_source(struct checking *p, struct section *s, int line, const char *source,
                         char *list)
{
    static const char ROUNDED[] = ", rounded";
    const char *slash = strrchr(p->path, '/'), *comma = strstr(source, ", "), *text = NULL;
    int name = comma ? (int)(comma - source) : (int)strlen(source), rest = (int)strlen(source);
    int is_rounded =
        rest - name >= (int)strlen(ROUNDED) && same(source + rest - strlen(ROUNDED), ROUNDED);
    const char *path =
        text_of("%.*s%.*s", slash ? (int)(slash + 1 - p->path) : 0, p->path, name, source);
    int is_file = access(path, R_OK) == 0;

    rest -= is_rounded ? (int)strlen(ROUNDED) : 0;
    if (is_file)
        text = read_text(path);
    if (is_file && rest > name)
        text = lines_with(text, text_of("%.*s", rest - name - 2, source + name + 2));
    if (is_file && !text[0]) {
        fault(p, line,
              text_of("'%s': expected FILE[, WORD][, rounded] and a WORD that is there", source));
        text = NULL;
    }
    check_list(p, s, line, list, text, source, is_rounded ? has_rounded : has_number);
    if (!is_file && strchr(source, '/') && !strchr(source, ' '))
        fault(p, line, text_of("%s: no such file", source));
}

// Checks one comment; `text` is what follows its mark.
static void check_comment(struct checking *p, struct section *s, int line, char *text)
{
    static const char PRINTED[] = "printed by ", FROM[] = "from ", COMPUTED[] = "computed:";
    const char *source;
    char *list = NULL;

    if (strncmp(text, COMPUTED, strlen(COMPUTED)) == 0) {
        check_items(p, s, line, text + strlen(COMPUTED), NULL, NULL);
        return;
    }

    if (text[0] == '(') {
        check_values(p, s, line, text);
        return;
    }
    for (char *at = text; (at = strstr(at, ": ")); at++)
        list = at;
    if (!list || (strncmp(text, PRINTED, strlen(PRINTED)) && strncmp(text, FROM, strlen(FROM)))) {
        fault(p, line,
              "expected (PLACE)..., 'computed: ...', 'printed by COMMAND: ...', or "
              "'from SOURCE: ...'");
        return;
    }
    *list++ = '\0';
    if (text[0] == 'f') {
        check_source(p, s, line, text + strlen(FROM), list);
        return;
    }
    source = text + strlen(PRINTED);
    check_list(p, s, line, list,
               p->runs_commands ? command_output(p->path, text_of("{ %s; } 2>&1 || :", source))
                                : NULL,
               source, has_number);
}

// --- sections

static int lines_until(const char *text, const char *to)
{
    int n = 0;

    for (; text < to; text++)
        n += *text == '\n';
    return n;
}

// The text of the lines from one to before another: what readers see or, for prose, without
// generated blocks, blocks of code and code between backquotes.
static char *text_between(const struct page *page, int from, int to, int is_prose)
{
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    int quoted = 0;

    for (int i = from; i < to; i++) {
        const struct page_line *line = &page->line[i];
        int seen =
            line->kind != COMMENT && (line->kind != GENERATED || !(line->begins || line->ends));

        if (is_prose)
            seen = line->kind <= HEADING && strncmp(line->text, "    ", 4) != 0;
        for (const char *c = line->text; *c; c++) {
            quoted ^= is_prose && seen && *c == '`';
            putc(seen && !quoted ? *c : ' ', out);
        }
        putc('\n', out);
        quoted &= line->text[0] != '\0';
    }
    fclose(out);
    return text;
}

static void check_units(struct checking *p, const struct section *s)
{
    for (const char *at = s->prose; *at; at++) {
        size_t n;
        const char *unit;
        int listed = 0;

        if (!begins_number(s->prose, at))
            continue;
        n = number_length(at);
        unit = unit_after(at + n);
        for (int i = 0; i < s->n_listed; i++)
            listed |= strlen(s->listed[i]) == n && strncmp(s->listed[i], at, n) == 0;
        if (unit && !listed)
            fault(p, s->line + lines_until(s->prose, at),
                  text_of("%.*s %s: no comment says where it is from", (int)n, at, unit));
        at += n - 1;
    }
}

// Checks the lines from one to before another.
static void check_section(struct checking *p, int from, int to)
{
    struct section s = { from + 1, text_between(&p->page, from, to, 0),
                         text_between(&p->page, from, to, 1), NULL, 0 };

    for (int i = from; i < to; i++) {
        char *comment = page_text(&p->page, i, "<!-- numbers ");

        if (comment)
            check_comment(p, &s, i + 1, trimmed(comment));
    }
    check_units(p, &s);
}

static void check_page(struct checking *p)
{
    int start = 0;

    for (int i = 1; i <= p->page.n; i++)
        if (i == p->page.n || p->page.line[i].kind == HEADING) {
            check_section(p, start, i);
            start = i;
        }
}

// ladder numbers [--run] PAGE...: STATUS_WRONG if a number differs from its source, or has no
// source. --run also runs the commands of `printed by`, in the page's folder.
enum status command_numbers(struct arguments a)
{
    int run = take_flag(&a, "--run"), faults = 0;

    no_options(&a);
    for (int i = 0; i < a.n; i++) {
        char *folder = realpath(a.word[i], NULL);
        struct checking p = { .path = a.word[i], .runs_commands = run };

        page_read(&p.page, a.word[i]);
        *strrchr(folder, '/') = '\0';
        p.week = strrchr(folder, '/') ? strrchr(folder, '/') + 1 : folder;
        check_page(&p);
        faults += p.faults;
    }
    return faults ? STATUS_WRONG : STATUS_OK;
}
