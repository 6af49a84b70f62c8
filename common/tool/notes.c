#define _GNU_SOURCE   // strsep
#include "notes.h"

#include <string.h>

#include "tool.h"

struct reader {
    struct notes *notes;
    const char *where, *until;   // until: what ends the block that is being skipped or collected
    int slide;                   // it is collected
    int open;                    // the last block is a paragraph that the next line may continue
    int answer;
};

static struct block *add(struct reader *r, enum block_kind kind, const char *text)
{
    struct block *b;

    r->notes->block = grown(r->notes->block, r->notes->n, sizeof *b);
    b = &r->notes->block[r->notes->n++];
    *b = (struct block){ kind, 0, r->answer, r->where, text };
    r->open = kind == PARAGRAPH;
    return b;
}

// The length of "- " or "2. " at the beginning of a line; 0 if it is not of an item of a list.
static size_t item_length(const char *line)
{
    size_t n = strspn(line, "0123456789");

    return strncmp(line, "- ", 2) == 0 ? 2 : n && strncmp(line + n, ". ", 2) == 0 ? n + 2 : 0;
}

static void take_words(struct reader *r, const char *line)
{
    size_t item = item_length(line), level = strspn(line, "#");
    struct block *last = r->open && !item ? &r->notes->block[r->notes->n - 1] : NULL;
    const char *path = strstr(line, "](");

    if (level)
        add(r, HEADING, text_of("%s", line + level + strspn(line + level, " ")))->level = level;
    else if (line[0] == '!' && path)
        add(r, PICTURE, stem_of(text_of("%.*s", (int)strcspn(path + 2, ")"), path + 2)));
    else if (!line[strspn(line, " \r")] || line[0] == '|' || (line[0] == ' ' && !r->open))
        r->open = 0;
    else if (last)
        last->text = text_of("%s %s", last->text, line + strspn(line, " "));
    else
        add(r, PARAGRAPH, text_of("%s", line + item));
}

// Takes a line of a block that is skipped or, if r->slide, collected. `from`: after its beginning.
static void take_hidden(struct reader *r, const char *from, int is_first)
{
    const char *end = strstr(from, r->until);
    struct block *last = r->notes->n ? &r->notes->block[r->notes->n - 1] : NULL;
    char *text = text_of("%.*s", end ? (int)(end - from) : (int)strlen(from), from);

    if (r->slide && is_first)
        add(r, SLIDE, text);
    else if (r->slide && (!end || text[0]))
        last->text = text_of("%s\n%s", last->text, text);
    r->open = 0;
    if (end)
        r->until = NULL, r->slide = 0;
}

static void take_line(struct reader *r, const char *line)
{
    static const char *const hidden[][2] = {
        { "<!-- slide: ", "-->" }, { BLOCK_BEGIN, BLOCK_END }, { "<!--", "-->" }, { "```", "```" }
    };
    const char *bare = line + strspn(line, " ");

    if (r->until) {
        take_hidden(r, line, 0);
        return;
    }
    for (int i = 0; i < 4; i++)
        if (strncmp(bare, hidden[i][0], strlen(hidden[i][0])) == 0) {
            r->until = hidden[i][1];
            r->slide = i == 0;
            take_hidden(r, bare + strlen(hidden[i][0]), 1);
            return;
        }
    if (strncmp(bare, "<details", 8) == 0 || strncmp(bare, "</details", 9) == 0) {
        r->answer = bare[1] != '/';
        r->open = 0;
    } else
        take_words(r, line);
}

void read_notes(struct notes *notes, const char *path)
{
    struct reader r = { .notes = notes };
    char *text = read_text(path), *line;

    for (int number = 1; (line = strsep(&text, "\n")); number++) {
        r.where = text_of("%s:%d", path, number);
        take_line(&r, line);
    }
    if (r.slide)
        fail("%s: a slide without -->", notes->block[notes->n - 1].where);
}

char *without_links(const char *markdown)
{
    char *text = text_of("%s", markdown), *to = text;

    for (const char *s = text; *s;) {
        size_t n = *s == '[' ? strcspn(s, "]") : 0;

        if (n && s[n] && s[n + 1] == '(' && strchr(s + n, ')')) {
            to = stpcpy(to, text_of("%.*s", (int)n - 1, s + 1));
            s = strchr(s + n, ')') + 1;
        } else
            *to++ = *s++;
    }
    *to = '\0';
    return text;
}
