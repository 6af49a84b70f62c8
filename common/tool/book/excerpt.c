#define _GNU_SOURCE   // strsep
#include "book.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { CONTEXT = 2, MOST_OPEN = 16 };   // lines before and after a changed one; open blocks

struct code_line {
    char sign;   // '+': new, '-': old, ' ': in both, '.': lines are omitted here
    int gap;     // an empty line precedes it
    const char *text;
};

struct code {
    struct code_line *line;
    int n;
};

static void append_line(struct code *c, char sign, const struct code_line *line)
{
    c->line = grown(c->line, c->n, sizeof *c->line);
    c->line[c->n++] = (struct code_line){ sign, line->gap, line->text };
}

// The length of a line without its comment and the blanks before that.
static int bare_length(const char *line)
{
    const char *comment = strstr(line, "//");
    int n = comment ? (int)(comment - line) : (int)strlen(line);

    while (n && isspace((unsigned char)line[n - 1]))
        n--;
    return n;
}

static void remove_lines(struct code *c, int first, int n)
{
    memmove(c->line + first, c->line + first + n, (c->n - first - n) * sizeof *c->line);
    c->n -= n;
}

// The code with the defaults of its knobs, for a slide: the condition of a #define is omitted, and
// where a knob only chooses between two lines or expressions, the choice and the #define are.
static void set_knobs(struct code *c)
{
    char name[64], value[64];

    for (int i = 0; i + 2 < c->n; i++) {
        if (sscanf(c->line[i].text, "#ifndef %63s", name) != 1 ||
            sscanf(c->line[i + 1].text, "#define %*s %63s", value) != 1 ||
            strcmp(c->line[i + 2].text, "#endif") != 0)
            continue;
        remove_lines(c, i + 2, 1);
        remove_lines(c, i, 1);
        int is_set = atoi(value) != 0, uses = 0;

        for (int k = i + 1; k < c->n && isdigit((unsigned char)value[0]); k++) {
            int is_if = strcmp(c->line[k].text, text_of("#if %s", name)) == 0, end = k;

            while (is_if && strcmp(c->line[end].text, "#endif") != 0 && end < c->n - 1)
                end++;
            if (is_if && is_set) {
                remove_lines(c, end, 1);
                remove_lines(c, k--, 1);
            } else if (is_if) {
                remove_lines(c, k, end - k + 1);
                k--;
            } else if (!is_set && strstr(c->line[k].text, text_of("; i < %s; i++)", name))) {
                remove_lines(c, k--, 2);   // a loop of no passes
            } else {
                c->line[k].text = with_choice(c->line[k].text, name, is_set);
            }
        }
        for (int k = i + 1; k < c->n; k++)
            uses += find_name(c->line[k].text, name) != NULL;
        if (!uses)
            remove_lines(c, i--, 1);
    }
}

// The lines below the head, but the #include lines. On a slide, the comment of a long line is
// omitted, and knobs have their defaults.
static struct code code_of(const char *path, const struct excerpt *e)
{
    struct code c = { 0 };
    char *text = read_text(path), *line;
    int head = 1, gap = 0;

    while ((line = strsep(&text, "\n"))) {
        int n = bare_length(line), is_empty = !line[strspn(line, " ")];

        head = head && !n && !is_empty;
        gap |= is_empty;
        if (head || is_empty || (!n && (e->slide || !e->comments)) ||
            strncmp(line, "#include", 8) == 0)
            continue;
        if (e->slide && strlen(line) > SLIDE_COLUMNS)
            line = text_of("%.*s", n, line);
        append_line(&c, ' ', &(struct code_line){ ' ', gap && !e->slide, line });
        gap = 0;
    }
    if (e->slide)
        set_knobs(&c);
    return c;
}

static struct code lines_from(const struct code *c, int first, int n)
{
    return (struct code){ c->line + first, first + n > c->n ? c->n - first : n };
}

static int same_code(const char *a, const char *b)   // but for indentation and comments beside code
{
    a += strspn(a, " "), b += strspn(b, " ");
    return bare_length(a) || bare_length(b)
             ? bare_length(a) == bare_length(b) && strncmp(a, b, bare_length(a)) == 0
             : strcmp(a, b) == 0;
}

// The lines of both, by the longest common subsequence. Old lines precede new ones.
static struct code merged_lines(const struct code *a, const struct code *b)
{
    struct code both = { 0 };
    int w = b->n + 1, *length = must_calloc((size_t)(a->n + 1) * w, sizeof *length), i, k;

    for (i = a->n - 1; i >= 0; i--)   // of a from i on and b from k on
        for (k = b->n - 1; k >= 0; k--) {
            int *at = &length[i * w + k], longest = at[w] > at[1] ? at[w] : at[1];

            *at = same_code(a->line[i].text, b->line[k].text) ? 1 + at[w + 1] : longest;
        }
    for (i = k = 0; i < a->n || k < b->n;)
        if (i < a->n && k < b->n && same_code(a->line[i].text, b->line[k].text))
            append_line(&both, ' ', &b->line[k++]), i++;
        else if (i < a->n && (k == b->n || length[(i + 1) * w + k] == length[i * w + k]))
            append_line(&both, '-', &a->line[i++]);
        else
            append_line(&both, '+', &b->line[k++]);
    free(length);
    return both;
}

static int count_signs(const struct code *c, const char *signs)
{
    int n = 0;

    for (int i = 0; i < c->n; i++)
        n += strchr(signs, c->line[i].sign) != NULL;
    return n;
}

static struct code without_old(const struct code *all)
{
    struct code c = { 0 };

    for (int i = 0; i < all->n; i++)
        if (all->line[i].sign != '-')
            append_line(&c, all->line[i].sign, &all->line[i]);
    return c;
}

static int kernel_of(const struct code *c)
{
    for (int i = 0; i < c->n; i++)
        if (strstr(c->line[i].text, "__global__"))
            return i;
    return 0;
}

// The part of a slide that has the most changed lines, in its middle; without any, the kernel. Old
// lines are omitted if they are many.
static struct code most_changed(const struct code *all)
{
    struct code c = count_signs(all, "-") > SLIDE_LINES / 2 ? without_old(all) : *all;
    int most = -1, first = 0, last = 0;

    for (int i = 0; i == 0 || i + SLIDE_LINES <= c.n; i++) {
        struct code part = lines_from(&c, i, SLIDE_LINES);
        int n = count_signs(&part, "+-");

        first = n > most ? i : first;
        most = n > most ? n : most;
        last = n == most ? i : last;
    }
    return lines_from(&c, most > 0 ? (first + last) / 2 : kernel_of(&c), SLIDE_LINES);
}

// All changed lines, each with CONTEXT lines before and after it.
static struct code changed(const struct code *all)
{
    struct code c = { 0 };
    int shown = 0;   // lines up to here

    for (int i = 0; i < all->n; i++) {
        int first = i - CONTEXT, last = i + CONTEXT < all->n ? i + CONTEXT : all->n - 1;

        if (all->line[i].sign == ' ')
            continue;
        if (first > shown + CONTEXT && shown)
            append_line(&c, '.', &(struct code_line){ .text = "" });
        else if (shown)
            first = shown;
        for (shown = first > shown ? first : shown; shown <= last; shown++)
            append_line(&c, all->line[shown].sign, &all->line[shown]);
    }
    return c;
}

// The number of lines of the statement or function that begins in a line, of the new code.
static int statement_length(const struct code *c, int first)
{
    int depth = 0;

    for (int i = first; i < c->n; i++) {
        const char *text = c->line[i].text, *next = i + 1 < c->n ? c->line[i + 1].text : "";
        int n = bare_length(text);

        if (c->line[i].sign == '-' || !n)
            continue;
        for (int k = 0; k < n; k++)
            depth += (strchr("({", text[k]) != NULL) - (strchr(")}", text[k]) != NULL);
        if (depth < 0)
            return i - first;
        if (!depth &&
            (text[n - 1] == ';' || text[n - 1] == '}' || (text[0] == '#' && text[n - 1] != '\\')) &&
            strncmp(next + strspn(next, " "), "else", 4) != 0)
            return i - first + 1;
    }
    return c->n - first;
}

// The part from the first line that contains the text; of no lines if there is none.
static struct code part_from(const struct code *all, const char *from, int lines)
{
    for (int i = 0; i < all->n; i++)
        if (all->line[i].sign != '-' && strstr(all->line[i].text, from)) {
            int n = lines ? lines : statement_length(all, i), first = i;

            while (first && all->line[i].sign == '+' &&
                   all->line[first - 1].sign == '-')   // replaced
                first--;
            return lines_from(all, first, lines ? lines : n + i - first);
        }
    return (struct code){ 0 };
}

// How many more parentheses a line opens than it closes.
static int opened(const char *text)
{
    int n = bare_length(text), depth = 0;

    for (int i = 0; i < n; i++)
        depth += (text[i] == '(') - (text[i] == ')');
    return depth;
}

// Whether a statement, or a block, ends with line i.
static int ends_statement(const struct code *c, int i)
{
    const char *text = c->line[i].text;
    int length = bare_length(text), depth = 0;

    if (text[0] == '#')
        return strncmp(text, "#pragma", 7) != 0;
    for (int k = 0; k <= i; k++)   // old lines are a text of their own
        if ((c->line[k].sign == '-') == (c->line[i].sign == '-'))
            depth += opened(c->line[k].text);
    return length && strchr(";}", text[length - 1]) && depth <= 0;
}

// How many lines of a slide to show: without a last line that begins something whose rest is not
// shown, such as a signature, and without what follows the end of the block that the first is in.
static int whole_lines(const struct code *c, int n)
{
    int depth = 0, end = n;

    for (int i = 0; i < end; i++)
        for (const char *s = c->line[i].sign == '-' ? "" : c->line[i].text; *s; s++) {
            depth += (*s == '{') - (*s == '}');
            end = depth < 0 ? i : end;
        }
    while (end > 1 && !ends_statement(c, end - 1))
        end--;
    return end;
}

// Appends the ends of the blocks that these lines leave open.
static void close_blocks(struct code *c)
{
    const char *open[MOST_OPEN];
    int depth = 0;

    for (int i = 0; i < c->n; i++)
        for (const char *text = c->line[i].sign == '-' ? "" : c->line[i].text, *s = text; *s; s++) {
            depth -= *s == '}' && depth > 0;
            if (*s == '{' && depth < MOST_OPEN)
                open[depth++] = text;
        }
    if (depth)
        append_line(c, '.', &(struct code_line){ .text = "" });
    while (depth--) {
        const char *text = text_of("%.*s}", (int)strspn(open[depth], " "), open[depth]);

        append_line(c, ' ', &(struct code_line){ .text = text });
    }
}

// Whether a line may end before line[i]: 1 where a part ends, 2 within arithmetic.
static int can_break(const char *line, int i)
{
    static const char *const before[] = { "&& ", "|| ", "? ", ": ", "+ ", "* ", "- " };
    const char *end = i > 1 ? strchr(",;=", line[i - 2]) : NULL;

    if (line[i - 1] != ' ')
        return 0;
    for (int k = 0; k < (int)(sizeof before / sizeof *before); k++)
        if (strncmp(&line[i], before[k], strlen(before[k])) == 0)
            return k < 2 ? 1 : 2;
    return end && (*end != '=' || i < 3 || !strchr("=!<>", line[i - 3]));
}

// Where a line that is too long for a slide ends: inside as few parentheses as possible, and as
// late; 0: it cannot be broken.
static int break_of(const char *line, int most)
{
    int at = 0, depth = 0, least = 1000;

    for (int i = 1; line[i] && i <= most; i++) {
        int kind = can_break(line, i);

        depth += (strchr("([", line[i - 1]) != NULL) - (strchr(")]", line[i - 1]) != NULL);
        if (i > (int)strspn(line, " ") + 8 && kind && 2 * depth + kind <= least)
            at = i, least = 2 * depth + kind;
    }
    return at;
}

// The last line of the parentheses that are open at the end of line i, if one of them is too long
// for a slide: they are broken again. i if none is, or if they have comments or other signs.
static int last_of_long(const struct code *c, int i, int most)
{
    int depth = 0, is_long = 0;

    for (int last = i; last < c->n; last++) {
        const char *text = c->line[last].text;

        if (c->line[last].sign != c->line[i].sign || strstr(text, "//"))
            return i;
        is_long |= (int)strlen(text) > most;
        for (; *text; text++)
            depth += (strchr("([", *text) != NULL) - (strchr(")]", *text) != NULL);
        if (depth <= 0)
            return is_long ? last : i;
    }
    return i;
}

// Lines of at most SLIDE_COLUMNS characters with their signs. The rest of a longer one follows it,
// indented once per line that ends inside fewer parentheses.
static struct code broken_lines(const struct code *c, int outdent, int signs)
{
    struct code broken = { 0 };
    int most = SLIDE_COLUMNS - (signs ? 2 : 0) + outdent;

    for (int i = 0; i < c->n; i++) {
        struct code_line line = c->line[i];
        int base = (int)strspn(line.text, " "), depth = 0, ends = 0, at, depth_at[MOST_OPEN];

        for (int last = last_of_long(c, i, most); i < last; i++) {
            const char *next = c->line[i + 1].text + strspn(c->line[i + 1].text, " ");

            line.text = text_of("%s%s%s", line.text,
                                line.text[strlen(line.text) - 1] == '(' ? "" : " ", next);
        }
        while ((int)strlen(line.text) > most && ends < MOST_OPEN &&
               (at = break_of(line.text, most)) > base + 4) {
            const char *rest = line.text + at + strspn(line.text + at, " ");
            int end = at;

            while (line.text[end - 1] == ' ')
                end--;
            append_line(&broken, line.sign,
                        &(struct code_line){ ' ', line.gap, text_of("%.*s", end, line.text) });
            depth += opened(text_of("%.*s", end, line.text));
            while (ends && depth_at[ends - 1] >= depth)
                ends--;
            depth_at[ends++] = depth;
            line.text = text_of("%*s%s", base + 4 * ends, "", rest);
            line.gap = 0;
        }
        append_line(&broken, line.sign, &line);
    }
    return broken;
}

static int outdent_of(const struct code *c)
{
    int outdent = 1000;

    for (int i = 0; i < c->n; i++) {
        int indent = (int)strspn(c->line[i].text, " ");

        if (c->line[i].sign != '.' && c->line[i].text[0] != '#' && indent < outdent)
            outdent = indent;
    }
    return outdent;
}

// What a slide shows of these lines: whole statements, on at most SLIDE_LINES lines.
static struct code slide_lines(const struct code *part, int signs)
{
    int n = part->n;

    while (1) {
        struct code c = { 0 };

        n = whole_lines(part, n);
        for (int i = 0; i < n; i++)
            append_line(&c, part->line[i].sign, &part->line[i]);
        close_blocks(&c);
        c = broken_lines(&c, outdent_of(&c), signs);
        if (c.n <= SLIDE_LINES || n <= 1)
            return c;
        n--;
    }
}

static char *lines_text(const struct code *c, int signs)
{
    char *text = "";
    size_t outdent = outdent_of(c);

    for (int i = 0; i < c->n; i++) {
        const struct code_line *line = &c->line[i];
        size_t indent = strspn(line->text, " ");
        int gap = i && line->gap && !strchr("-.", line[-1].sign);

        if (line->sign == '.')
            text = text_of("%s%s...\n", text, signs ? "  " : "");
        else
            text = text_of("%s%s%.*s%s\n", text, gap ? "\n" : "", signs ? 2 : 0,
                           (char[]){ line->sign, ' ', '\0' },
                           line->text + (indent < outdent ? indent : outdent));
    }
    return text;
}

char *excerpt_of(const struct excerpt *e)
{
    struct code new = code_of(e->file, e), old = e->before[0] ? code_of(e->before, e) : new;
    struct code all = merged_lines(&old, &new), part;

    all = strchr(e->signs, '-') ? all : without_old(&all);
    if (e->from)
        part = part_from(&all, e->from, e->lines);
    else if (e->slide)
        part = most_changed(&all);
    else if (e->before[0])
        part = changed(&all);
    else
        part = lines_from(&all, kernel_of(&all), statement_length(&all, kernel_of(&all)));
    if (e->slide && part.n)
        part = slide_lines(&part, e->before[0]);
    return part.n ? lines_text(&part, e->before[0]) : NULL;
}

const char *stage_before(const char *folder, const char *core, const char *stage)
{
    const char *before = head_of(stage_file(folder, stage)).from, *list = core, *next;

    if (before[0])
        return before;
    for (; has_word(core, stage) && (next = next_word(&list)) && strcmp(next, stage) != 0;)
        before = next;
    if (!has_word(core, stage) && stage_file(folder, text_of("stage%d", stage_number(stage) - 1)))
        before = text_of("stage%d", stage_number(stage) - 1);
    return before;
}
