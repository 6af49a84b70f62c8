// ladder rename OLD NEW [OLD NEW...] FILE...: changes numbers or names of stages in recorded tables
// and in texts, such as the decks of a lecturer. All pairs are applied at once, so that two stages
// can exchange their numbers.
#include "runs.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct renaming {
    int old, new;
    const char *old_name, *new_name;   // old_name "": any name; new_name "": keep the name
};

struct renamings {
    int n;
    struct renaming *pair;
};

// Splits "stage7_swizzle" into number and name, "" if there is none.
static int split_stage(const char *text, const char **name)
{
    size_t n = strcspn(text, "_");
    int number = stage_number(text_of("%.*s", (int)n, text));

    if (number < 0)
        fail("rename: '%s': expected stageNUMBER or stageNUMBER_name", text);
    *name = text[n] ? text + n + 1 : "";
    return number;
}

// The renaming of a stage with this number and name; name NULL: not known. NULL if there is none.
static const struct renaming *renaming_of(const struct renamings *r, int number, const char *name)
{
    for (int i = 0; i < r->n; i++)
        if (r->pair[i].old == number &&
            (!name || !r->pair[i].old_name[0] || strcmp(r->pair[i].old_name, name) == 0))
            return &r->pair[i];
    return NULL;
}

static int is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

// The length of what stands before the number of a stage at the start of a word: "stage" and
// "stage " of a text, "A=" and "B=" of `make diff`. 0 if the word is none of them.
static size_t before_number(const char *at, int prose)
{
    static const char *const starts[] = { "stage", "stage ", "Stage ", "A=", "B=" };

    for (size_t i = 0; i < (prose ? sizeof starts / sizeof *starts : 1); i++)
        if (strncmp(at, starts[i], strlen(starts[i])) == 0 &&
            isdigit((unsigned char)at[strlen(starts[i])]))
            return strlen(starts[i]);
    return 0;
}

// Prints to `to` the new form of the number and name at `at`, and returns the position after them.
static const char *put_renamed(FILE *to, const char *at, const struct renamings *r, int *changes)
{
    char *end;
    int number = (int)strtol(at, &end, 10);
    const char *after = end, *name = NULL;
    const struct renaming *n;

    if (*end == '_') {
        for (after = end + 1; is_word(*after); after++)
            ;
        name = text_of("%.*s", (int)(after - end - 1), end + 1);
    }
    n = is_word(*after) ? NULL : renaming_of(r, number, name);
    if (!n) {
        fwrite(at, 1, (size_t)(after - at), to);
        return after;
    }
    fprintf(to, "%d", n->new);
    if (name)
        fprintf(to, "_%s", n->new_name[0] ? n->new_name : name);
    ++*changes;
    return after;
}

// A text with all stages renamed. prose: "stage 7" is a stage too, not only stage7.
static char *renamed(const char *text, const struct renamings *r, int prose, int *changes)
{
    char *result;
    size_t size, n;
    FILE *to = open_memstream(&result, &size);

    for (const char *at = text; *at;) {
        n = at > text && is_word(at[-1]) ? 0 : before_number(at, prose);
        fwrite(at, 1, n ? n : 1, to);
        at = n ? put_renamed(to, at + n, r, changes) : at + 1;
    }
    fclose(to);
    return result;
}

// Renames stages in a table. Returns how many rows were renamed.
static int rename_rows(const struct renamings *r, struct table *t, const char *path)
{
    int rows = 0, words;

    for (size_t i = 0; i < t->n; i++) {
        struct row *row = &t->row[i];
        int number = stage_number(row->stage);
        const struct renaming *n = number < 0 ? NULL : renaming_of(r, number, row->name);

        for (int k = 0; k < r->n && !n; k++)
            if (number == r->pair[k].new)
                fail("rename: %s: stage%d already exists", path, number);
        if (number < 0 || !renaming_of(r, number, NULL) || n)
            row->command = renamed(row->command, r, 0, &words);
        if (n) {
            row->stage = text_of("stage%d", n->new);
            row->name = n->new_name[0] ? n->new_name : row->name;
            rows++;
        }
    }
    return rows;
}

// Prints the lines that name several stages at once, such as "stages 6 to 8".
static void report_lists(const char *text, const char *path)
{
    int number = 1;

    for (const char *line = text; *line; number++) {
        size_t n = strcspn(line, "\n");

        if (matches(text_of("%.*s", (int)n, line), "[Ss]tages [0-9]"))
            printf("%s:%d: change by hand: %.*s\n", path, number, (int)n, line);
        line += n + (line[n] == '\n');
    }
}

static int is_table(const char *path)
{
    size_t n = strlen(path);

    return n > 4 && strcmp(path + n - 4, ".tsv") == 0;
}

// Takes the pairs from the arguments, which then are the files.
static struct renamings take_pairs(struct arguments *a)
{
    struct renamings r = { 0, must_calloc((size_t)a->n + 1, sizeof *r.pair) };

    while (a->n >= 2 && (r.n == 0 || strncmp(a->word[0], "stage", 5) == 0) &&
           !strpbrk(a->word[0], "./")) {
        struct renaming *n = &r.pair[r.n++];

        n->old = split_stage(a->word[0], &n->old_name);
        n->new = split_stage(a->word[1], &n->new_name);
        a->word += 2;
        a->n -= 2;
    }
    return r;
}

enum status command_rename(struct arguments a)
{
    struct table *t = must_calloc((size_t)a.n + 1, sizeof *t);
    char **text = must_calloc((size_t)a.n + 1, sizeof *text);
    int *changes = must_calloc((size_t)a.n + 1, sizeof *changes), all = 0;
    struct renamings r;

    no_options(&a);
    r = take_pairs(&a);
    if (r.n == 0 || a.n == 0)
        fail("rename: expected OLD NEW [OLD NEW...] FILE..., for example: rename stage7_swizzle "
             "stage8_swizzle plots/data/*/01_*.tsv my-deck.md");
    for (int i = 0; i < a.n; i++) {
        if (is_table(a.word[i])) {
            t[i] = read_table(a.word[i]);
            changes[i] = rename_rows(&r, &t[i], a.word[i]);
        } else {
            text[i] = renamed(read_text(a.word[i]), &r, 1, &changes[i]);
        }
        all += changes[i];
    }
    if (!all)
        fail("rename: none of these stages is in these files");
    for (int i = 0; i < a.n; i++) {
        if (changes[i] && !text[i])
            save_table(&t[i], a.word[i]);
        if (changes[i] && text[i]) {
            write_if_changed(a.word[i], text[i]);
            puts(a.word[i]);
        }
        if (text[i])
            report_lists(text[i], a.word[i]);
    }
    return STATUS_OK;
}
