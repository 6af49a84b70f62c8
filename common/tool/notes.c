#define _GNU_SOURCE   // strsep
#include "notes.h"

#include <string.h>

#include "tool.h"

#define SLIDE_BEGIN "<!-- slide: "
#define COMMENT_END "-->"

struct reader {
    struct notes notes;
    const char *inside;   // what ends the block that is being skipped or, if `slide`, collected
    int slide;
    int open;   // the last block is a paragraph that the next line may continue
    int answer, line;
};

static int begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

static struct block *add(struct reader *r, enum block_kind kind, const char *text)
{
    struct block *b;

    r->notes.block = grown(r->notes.block, r->notes.n, sizeof *b);
    b = &r->notes.block[r->notes.n++];
    *b = (struct block){ kind, 0, r->answer, r->line, text };
    r->open = kind == PARAGRAPH;
    return b;
}

static struct block *last(struct reader *r) { return &r->notes.block[r->notes.n - 1]; }

// Begins a block that ends at a line with this text. Of a comment, that may be the same line.
static void skip_until(struct reader *r, const char *line, const char *end)
{
    r->open = 0;
    r->inside = end && end[0] == '-' && strstr(line, end) ? NULL : end;
}

static void add_slide(struct reader *r, const char *line)
{
    const char *text = line + strlen(SLIDE_BEGIN), *end = strstr(text, COMMENT_END);

    add(r, SLIDE, text_of("%.*s", end ? (int)(end - text) : (int)strlen(text), text));
    r->slide = !end;
    skip_until(r, line, COMMENT_END);
}

static void add_picture(struct reader *r, const char *line)
{
    const char *path = strstr(line, "](");

    add(r, PICTURE, path ? stem_of(text_of("%.*s", (int)strcspn(path + 2, ")"), path + 2)) : "");
}

// "- " or "2. "
static size_t item_length(const char *line)
{
    size_t n = strspn(line, "0123456789");

    return begins(line, "- ") ? 2 : n && begins(line + n, ". ") ? n + 2 : 0;
}

static void add_words(struct reader *r, const char *line)
{
    size_t item = item_length(line);

    if (r->open && !item)
        last(r)->text = text_of("%s %s", last(r)->text, line + strspn(line, " "));
    else
        add(r, PARAGRAPH, text_of("%s", line + item));
}

static void go_on(struct reader *r, const char *line)
{
    const char *end = strstr(line, r->inside);

    if (r->slide && !(end && r->inside[0] == '-'))
        last(r)->text = text_of("%s\n%s", last(r)->text, line);
    if (end)
        r->inside = NULL, r->slide = 0;
}

static void take_line(struct reader *r, const char *line)
{
    const char *bare = line + strspn(line, " ");

    if (r->inside)
        go_on(r, line);
    else if (begins(line, SLIDE_BEGIN))
        add_slide(r, line);
    else if (begins(line, BLOCK_BEGIN))
        skip_until(r, line, BLOCK_END);
    else if (begins(bare, "<!--"))
        skip_until(r, line, COMMENT_END);
    else if (begins(bare, "<details") || begins(bare, "</details"))
        r->answer = bare[1] != '/', r->open = 0;
    else if (begins(bare, "```"))
        skip_until(r, line, "```");
    else if (line[0] == '#') {
        int level = (int)strspn(line, "#");

        add(r, HEADING, text_of("%s", line + level + strspn(line + level, " ")))->level = level;
    } else if (begins(line, "!["))
        add_picture(r, line);
    else if (!line[strspn(line, " \r")] || line[0] == '|' || (begins(line, "    ") && !r->open))
        r->open = 0;
    else
        add_words(r, line);
}

struct notes notes_of(const char *path)
{
    struct reader r = { .notes.path = path };
    char *text = read_text(path), *line;

    while ((line = strsep(&text, "\n"))) {
        r.line++;
        take_line(&r, line);
    }
    if (r.slide)
        fail("%s:%d: a slide without " COMMENT_END, path, last(&r)->line);
    return r.notes;
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
