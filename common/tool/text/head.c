#include "text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// The text after the prefix, or NULL if the line does not begin with it.
static char *after(const char *line, const char *prefix)
{
    size_t n = strlen(prefix);

    return strncmp(line, prefix, n) == 0 ? trimmed(text_of("%s", line + n)) : NULL;
}

static const char *first_word(const char *text)
{
    return text_of("%.*s", (int)strcspn(text, " \t"), text);
}

static void add_claim(struct head *h, const char *text, int points)
{
    if (h->n_claims == HEAD_CLAIMS)
        fail("%s: more than %d claims", h->file, HEAD_CLAIMS);
    h->points[h->n_claims] = points;
    h->claim[h->n_claims++] = text;
}

// "6: correct", "1: answer", or "3 (cpu, 1024x1024): CONDITION".
static void take_points(struct head *h, const char *text)
{
    char *end;
    long points = strtol(text, &end, 10);

    if (points < 1 || points > 10 || !strchr(": ", *end))
        fail("%s: // Points %s: expected 1 to 10 points, then ': correct', ': answer' or a claim",
             h->file, text);
    if (strcmp(end, ": correct") == 0)
        h->points_correct += (int)points;
    else if (strcmp(end, ": answer") == 0)
        h->points_answer += (int)points;
    else
        add_claim(h, trimmed(end), (int)points);
}

static void add_check(struct head *h, const char *text)
{
    if (h->n_checks == HEAD_CHECKS)
        fail("%s: more than %d // Check lines", h->file, HEAD_CHECKS);
    h->check[h->n_checks++] = text;
}

// A claim that ends with "and" goes on in the next line.
static int take_rest_of_claim(struct head *h, const char *line)
{
    const char **claim = h->n_claims ? &h->claim[h->n_claims - 1] : NULL, *end;
    char *text = after(line, "//");

    if (!claim || !text)
        return 0;
    end = *claim + strlen(*claim) - strlen(" and");
    if (end < *claim || strcmp(end, " and") != 0)
        return 0;
    *claim = with_word(*claim, text);
    return 1;
}

// Takes a line with a keyword for make or the harness. Returns 0 for any other line.
static int take_keyword(struct head *h, const char *line)
{
    char *text;

    if (take_rest_of_claim(h, line))
        return 1;
    if ((text = after(line, "// Needs:")))
        h->needs = first_word(text);
    else if ((text = after(line, "// Computes:")))
        h->computes = first_word(text);
    else if ((text = after(line, "// Arithmetic:")))
        h->arithmetic = first_word(text);
    else if ((text = after(line, "// Type:")))
        h->type = first_word(text);
    else if ((text = after(line, "// From:")))
        h->from = first_word(text);
    else if ((text = after(line, "// Links:")))
        h->links = with_word(h->links, text);
    else if ((text = after(line, "// Expect ")))
        add_claim(h, text, 0);
    else if ((text = after(line, "// Points ")))
        take_points(h, text);
    else if ((text = after(line, "// Check ")))
        add_check(h, text);
    else
        return 0;
    return 1;
}

// "#ifndef TILE" followed by "#define TILE ..." makes a knob.
static void take_directive(struct head *h, const char *line, char guard[64])
{
    char word[16] = "", name[64] = "";

    line += strspn(line, " \t");
    if (*line != '#' || sscanf(line + 1, " %15s %63s", word, name) < 2) {
        guard[0] = '\0';
        return;
    }
    if (strcmp(word, "define") == 0 && strcmp(name, guard) == 0)
        h->knobs = with_word(h->knobs, text_of("%s", name));
    strcpy(guard, strcmp(word, "ifndef") == 0 ? name : "");
}

// Removes "stage3: " before the lesson. The word may be any: in a copied stage it may be another
// stage's.
static const char *without_key(const char *lesson)
{
    size_t n = 0;

    while (isalnum((unsigned char)lesson[n]) || lesson[n] == '_')
        n++;
    return n && lesson[n] == ':' ? trimmed(text_of("%s", lesson + n + 1)) : lesson;
}

// Removes "swizzle: " from the lesson of exercise1_swizzle.cu: reports and lists print the name.
static const char *without_name(const char *lesson, const char *name)
{
    size_t n = strlen(name);

    for (size_t i = 0; i < n; i++)
        if (lesson[i] != (name[i] == '_' ? ' ' : name[i]))
            return lesson;
    return lesson[n] == ':' ? trimmed(text_of("%s", lesson + n + 1)) : lesson;
}

static void name_after_file(struct head *h, const char *path)
{
    const char *slash = strrchr(path, '/'), *rest;
    char *stem = stem_of(path);

    h->file = slash ? slash + 1 : path;
    rest = strchr(stem, '_');
    h->name = rest ? rest + 1 : stem;
    h->key = rest ? text_of("%.*s", (int)(rest - stem), stem) : stem;
    if (stage_number(h->key) < 0 && exercise_number(h->key) < 0)
        h->key = stem;
}

struct head head_of(const char *path)
{
    struct head h = { .lesson = "",
                      .needs = "",
                      .computes = "",
                      .arithmetic = "",
                      .type = "",
                      .from = "",
                      .links = "",
                      .knobs = "" };
    enum { BEFORE, IN_LESSON, AFTER } at = BEFORE;
    char guard[64] = "";

    name_after_file(&h, path);
    for (const char *text = read_text(path); *text;) {
        size_t n = strcspn(text, "\n");
        char *line = trimmed(text_of("%.*s", (int)n, text)),
             *words = text[0] == '/' ? after(line, "//") : NULL;
        int keyword = take_keyword(&h, text[0] == '/' ? line : "");

        if (at != AFTER && words && words[0] && !keyword) {
            h.lesson = with_word(h.lesson, words);
            at = IN_LESSON;
        } else if (at == IN_LESSON)
            at = AFTER;
        take_directive(&h, line, guard);
        text += n + (text[n] != '\0');
    }
    h.lesson = without_name(without_key(h.lesson), h.name);
    return h;
}
