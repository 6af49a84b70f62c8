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

// The length of "- " or "2. " at the beginning of a line; 0 if it is not of an item of a list.
static size_t item_length(const char *line)
{
    size_t n = strspn(line, "0123456789");

    return strncmp(line, "- ", 2) == 0 ? 2 : n && strncmp(line + n, ". ", 2) == 0 ? n + 2 : 0;
}

static int is_tag(const char *line, const char *tag)
{
    return strncmp(line + strspn(line, " "), tag, strlen(tag)) == 0;
}

// The kind of a line outside the blocks. `open`: the line before it is of a paragraph.
static enum page_kind kind_of(const char *line, int open)
{
    if (line[0] == '#')
        return HEADING;
    if (line[0] == '!' && strstr(line, "]("))
        return PICTURE;
    return !line[strspn(line, " \r")] || line[0] == '|' || (line[0] == ' ' && !open) ||
                   is_tag(line, "<details") || is_tag(line, "</details")
             ? OTHER
             : PARAGRAPH;
}

void page_read(struct page *p, const char *path)
{
    char *text = read_text(path), *line;
    const struct fence *in = NULL;
    const char *began = "";
    int number = 0, answer = 0, open = 0;

    while ((line = strsep(&text, "\n"))) {
        const char *bare = line + strspn(line, " ");
        struct page_line l = { .begins = !in, .ends = 1, .text = line };

        l.where = text_of("%s:%d", path, ++number);
        if (!in && is_tag(line, PAGE_BLOCK_END))
            fail("%s: '%s' without '%s'", l.where, PAGE_BLOCK_END, PAGE_BLOCK);
        in = in ? in : fence_of(bare);
        if (in) {
            l.kind = in->kind;
            l.ends = strstr(l.begins ? bare + strlen(in->open) : line, in->close) != NULL;
        } else {
            l.kind = kind_of(line, open);
            l.begins = !open || l.kind != PARAGRAPH || item_length(line);
            answer = (answer || is_tag(line, "<details")) && !is_tag(line, "</details");
        }
        l.is_answer = answer;
        open = l.kind == PARAGRAPH;
        in = l.ends ? NULL : in;
        began = l.begins ? l.where : began;
        p->line = grown(p->line, p->n, sizeof *p->line);
        p->line[p->n++] = l;
    }
    if (in)
        fail("%s: '%s' without '%s'", began, in->open, in->close);
}

char *page_text(const struct page *p, int i, const char *prefix)
{
    const char *start = p->line[i].text + strspn(p->line[i].text, " ");
    enum page_kind kind = p->line[i].kind;
    char *text, *end;

    if (!p->line[i].begins || strncmp(start, prefix, strlen(prefix)) != 0)
        return NULL;
    start += strlen(prefix) + (kind == PARAGRAPH ? item_length(start) : 0);
    text = text_of("%s", start);
    while (++i < p->n && p->line[i].kind == kind && !p->line[i].begins)
        text = kind == PARAGRAPH
                 ? text_of("%s %s", text, p->line[i].text + strspn(p->line[i].text, " "))
                 : text_of("%s\n%s", text, p->line[i].text);
    end = kind == COMMENT ? strstr(text, PAGE_COMMENT_END) : text + strlen(text);
    end -= end > text && end[-1] == '\n';
    *end = '\0';
    return text;
}
