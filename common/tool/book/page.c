#define _GNU_SOURCE   // strsep
#include "book.h"

#include <string.h>

// A block, from a line that begins with `open` to one that contains `close`.
static const struct fence {
    enum page_kind kind;
    const char *open, *close;
} blocks[] = { { GENERATED, PAGE_BLOCK, PAGE_BLOCK_END },
               { COMMENT, PAGE_COMMENT, PAGE_COMMENT_END },
               { CODE, PAGE_CODE, PAGE_CODE } };

// The block that begins with this line; NULL if none does.
static const struct fence *fence_of(const char *line)
{
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (strncmp(line, blocks[i].open, strlen(blocks[i].open)) == 0)
            return &blocks[i];
    return NULL;
}

struct page page_read(const char *path)
{
    struct page p = { NULL, 0 };
    char *text = read_text(path), *line;
    const struct fence *in = NULL;
    int began = 0;

    while ((line = strsep(&text, "\n"))) {
        const char *bare = line + strspn(line, " ");
        struct page_line l = { line[0] == '#' ? HEADING : WORDS, !in, 1, line };

        if (!in && strncmp(bare, PAGE_BLOCK_END, strlen(PAGE_BLOCK_END)) == 0)
            fail("%s:%d: '%s' without '%s'", path, p.n + 1, PAGE_BLOCK_END, PAGE_BLOCK);
        in = in ? in : fence_of(bare);
        if (in) {
            l.kind = in->kind;
            l.ends = strstr(l.begins ? bare + strlen(in->open) : line, in->close) != NULL;
        }
        in = l.ends ? NULL : in;
        p.line = grown(p.line, p.n, sizeof *p.line);
        p.line[p.n++] = l;
        began = l.begins ? p.n : began;
    }
    if (in)
        fail("%s:%d: '%s' without '%s'", path, began, in->open, in->close);
    return p;
}

char *page_comment(const struct page *p, int i, const char *prefix)
{
    const char *start = p->line[i].text + strspn(p->line[i].text, " ");
    char *text, *end;

    if (p->line[i].kind != COMMENT || !p->line[i].begins ||
        strncmp(start, prefix, strlen(prefix)) != 0)
        return NULL;
    text = text_of("%s", start + strlen(prefix));
    for (; !p->line[i].ends; i++)
        text = text_of("%s\n%s", text, p->line[i + 1].text);
    end = strstr(text, PAGE_COMMENT_END);
    end -= end > text && end[-1] == '\n';
    *end = '\0';
    return text;
}
