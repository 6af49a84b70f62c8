#include "book.h"

#include <string.h>

struct reader {
    struct notes *notes;
    const char *where;
    int open;   // the last block is a paragraph that the next line may continue
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
        add(r, TITLE, text_of("%s", line + level + strspn(line + level, " ")))->level = level;
    else if (line[0] == '!' && path)
        add(r, PICTURE, stem_of(text_of("%.*s", (int)strcspn(path + 2, ")"), path + 2)));
    else if (!line[strspn(line, " \r")] || line[0] == '|' || (line[0] == ' ' && !r->open))
        r->open = 0;
    else if (last)
        last->text = text_of("%s %s", last->text, line + strspn(line, " "));
    else
        add(r, PARAGRAPH, text_of("%s", line + item));
}

void read_notes(struct notes *notes, const char *path)
{
    struct reader r = { .notes = notes };
    struct page page = page_read(path);

    for (int i = 0; i < page.n; i++) {
        const struct page_line *line = &page.line[i];
        const char *bare = line->text + strspn(line->text, " "),
                   *slide = page_comment(&page, i, "<!-- slide: ");
        int is_details = strncmp(bare, "<details", 8) == 0 || strncmp(bare, "</details", 9) == 0;

        r.where = text_of("%s:%d", path, i + 1);
        if (slide)
            add(&r, SLIDE, slide);
        else if (line->kind <= HEADING && !is_details) {
            take_words(&r, line->text);
            continue;
        } else if (line->kind == WORDS)
            r.answer = bare[1] != '/';
        r.open = 0;
    }
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
