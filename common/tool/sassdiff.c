// ladder sassdiff A.sass B.sass: the machine code of two stages, without addresses and registers:
// for each kernel a table of its opcodes, then a unified diff of them in the order of the code.
#define _GNU_SOURCE   // strsep
#include <stdlib.h>
#include <string.h>

#include "tool.h"

struct kernel {
    const char *name;
    const char **opcode;   // in the order of the code
    int n;
    const struct kernel *partner;   // of the other stage; NULL: none
};

struct code {
    const char *stage;
    struct kernel *kernel;
    int n;
};

// "void reduce<int, 256>(int const*, int)" is "reduce<int, 256>".
static const char *name_of(const char *signature)
{
    const char *name = strncmp(signature, "void ", 5) == 0 ? signature + 5 : signature;
    size_t n = strlen(name);

    if (n && name[n - 1] == ')')
        for (int depth = 0; n > 0;) {
            n--;
            depth += name[n] == ')' ? 1 : name[n] == '(' ? -1 : 0;
            if (depth == 0)
                break;
        }
    return text_of("%.*s", (int)n, name);
}

// The opcode of a line "/*0050*/  @!P0 LDG.E R2, [R4] ;", or NULL. NOPs pad the code.
static const char *opcode_of(const char *line)
{
    const char *at = line + strspn(line, " \t");

    if (strncmp(at, "/*", 2) != 0 || strncmp(at, "/* ", 3) == 0 || !(at = strstr(at, "*/")))
        return NULL;
    at += 2 + strspn(at + 2, " \t{");
    if (*at == '@')
        at += strcspn(at, " "), at += strspn(at, " ");
    if (*at < 'A' || *at > 'Z' || strncmp(at, "NOP", 3) == 0)
        return NULL;
    return text_of("%.*s", (int)strcspn(at, " \t;"), at);
}

static struct code code_of(const char *path)
{
    struct code c = { .stage = stem_of(path) };
    char *text = read_text(path), *line;

    while ((line = strsep(&text, "\n"))) {
        char *function = strstr(line, "Function : ");
        const char *opcode = opcode_of(line);
        struct kernel *k;

        if (function) {
            c.kernel = grown(c.kernel, c.n, sizeof *c.kernel);
            c.kernel[c.n++] = (struct kernel){ .name = name_of(function + strlen("Function : ")) };
        } else if (opcode && c.n) {
            k = &c.kernel[c.n - 1];
            k->opcode = grown(k->opcode, k->n, sizeof *k->opcode);
            k->opcode[k->n++] = opcode;
        }
    }
    if (!c.n)
        fail("%s: no kernel in it; expected the output of cuobjdump -sass", path);
    return c;
}

static int count_of(const struct kernel *k, const char *opcode)
{
    int n = 0;

    for (int i = 0; k && i < k->n; i++)
        n += strcmp(k->opcode[i], opcode) == 0;
    return n;
}

struct line {
    const char *opcode;
    int a, b;
};

// The largest difference first, then the most frequent, then by name.
static int by_difference(const void *left, const void *right)
{
    const struct line *x = left, *y = right;
    int difference = abs(y->b - y->a) - abs(x->b - x->a), more = y->a + y->b - x->a - x->b;

    return difference ? difference : more ? more : strcmp(x->opcode, y->opcode);
}

// Adds the opcodes of `k` that the lines do not have yet.
static int add_lines(struct line *line, int n, const struct kernel *k, const struct kernel *a,
                     const struct kernel *b)
{
    for (int i = 0; i < k->n; i++) {
        int at = 0;

        while (at < n && strcmp(line[at].opcode, k->opcode[i]) != 0)
            at++;
        if (at == n)
            line[n++] =
                (struct line){ k->opcode[i], count_of(a, k->opcode[i]), count_of(b, k->opcode[i]) };
    }
    return n;
}

static void print_line(const char *opcode, int a, int b)
{
    printf("%-32s %10d %10d%s\n", opcode, a, b, a == b ? "" : text_of(" %+10d", b - a));
}

static void print_counts(const struct code *a, const struct code *b, const struct kernel *ka,
                         const struct kernel *kb)
{
    struct line *line = must_malloc((ka->n + kb->n + 1) * sizeof *line);
    int n = add_lines(line, add_lines(line, 0, ka, ka, kb), kb, ka, kb);

    qsort(line, n, sizeof *line, by_difference);
    printf("%-32s %10s %10s %10s\n", "opcode", a->stage, b->stage, "change");
    for (int i = 0; i < n; i++)
        print_line(line[i].opcode, line[i].a, line[i].b);
    print_line("instructions", ka->n, kb->n);
    putchar('\n');
}

static int write_opcodes(const struct kernel *k)
{
    FILE *file = tmpfile();

    if (!file)
        fail("sassdiff: no temporary file can be made");
    for (int i = 0; i < k->n; i++)
        fprintf(file, "%s\n", k->opcode[i]);
    fflush(file);
    return fileno(file);   // open until the program ends
}

static void print_diff(const struct code *a, const struct code *b, const struct kernel *ka,
                       const struct kernel *kb)
{
    char *command =
        text_of("diff -u --label %s --label %s /proc/self/fd/%d /proc/self/fd/%d || [ $? != 127 ]",
                shell_word(a->stage), shell_word(b->stage), write_opcodes(ka), write_opcodes(kb));

    fflush(stdout);
    if (system(command) != 0)
        fail("sassdiff: diff is not installed: apt-get install diffutils");
}

// Pairs each kernel with the one of the same name, and the others in the order of the code.
static void pair(struct code *a, struct code *b)
{
    for (int i = 0; i < a->n; i++)
        for (int k = 0; k < b->n && !a->kernel[i].partner; k++)
            if (!b->kernel[k].partner && strcmp(a->kernel[i].name, b->kernel[k].name) == 0)
                a->kernel[i].partner = &b->kernel[k], b->kernel[k].partner = &a->kernel[i];
    for (int i = 0, k = 0; i < a->n; i++) {
        while (k < b->n && b->kernel[k].partner)
            k++;
        if (!a->kernel[i].partner && k < b->n)
            a->kernel[i].partner = &b->kernel[k], b->kernel[k].partner = &a->kernel[i];
    }
}

static void print_alone(const struct code *c)
{
    for (int i = 0; i < c->n; i++)
        if (!c->kernel[i].partner)
            printf("kernel %s: only in %s, %d instructions\n", c->kernel[i].name, c->stage,
                   c->kernel[i].n);
}

enum status command_sassdiff(struct arguments a)
{
    struct code old, new;

    no_options(&a);
    if (a.n != 2)
        fail("sassdiff: expected two files of cuobjdump -sass: make sassdiff A=8 B=9");
    old = code_of(a.word[0]), new = code_of(a.word[1]);
    pair(&old, &new);
    for (int i = 0; i < old.n; i++) {
        const struct kernel *k = &old.kernel[i], *other = k->partner;

        if (!other)
            continue;
        printf("kernel %s%s\n", k->name,
               strcmp(k->name, other->name) ? text_of(", beside %s", other->name) : "");
        print_counts(&old, &new, k, other);
        print_diff(&old, &new, k, other);
        putchar('\n');
    }
    print_alone(&old);
    print_alone(&new);
    return STATUS_OK;
}
