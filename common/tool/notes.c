#define _GNU_SOURCE   // strsep
#include "notes.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

// --- blocks

struct reader {
    struct notes notes;
    struct block *open;   // the paragraph or item that the next line may continue
    const char *inside;   // what ends the code or generated block that is being read
    int answer, marked;
};

static struct block *add(struct reader *r, enum block_kind kind, const char *text)
{
    struct block *b;

    r->notes.block = grown(r->notes.block, r->notes.n, sizeof *b);
    b = &r->notes.block[r->notes.n++];
    *b = (struct block){ kind, 0, r->answer, r->marked, text };
    r->marked = 0;
    r->open = NULL;
    return b;
}

static int begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

// "- " or "2. "
static size_t item_length(const char *line)
{
    size_t n = strspn(line, "0123456789");

    return begins(line, "- ") ? 2 : n && begins(line + n, ". ") ? n + 2 : 0;
}

// Adds the line to the block above it if that is of this kind, otherwise makes a block.
static void add_line(struct reader *r, enum block_kind kind, const char *line)
{
    struct block *last = r->notes.n ? &r->notes.block[r->notes.n - 1] : NULL;

    if (r->open && last == r->open && last->kind == kind)
        last->text = text_of("%s\n%s", last->text, line);
    else
        add(r, kind, text_of("%s", line));
    r->open = &r->notes.block[r->notes.n - 1];
}

static void add_picture(struct reader *r, const char *line)
{
    const char *path = strstr(line, "](");

    add(r, PICTURE, path ? stem_of(text_of("%.*s", (int)strcspn(path + 2, ")"), path + 2)) : "");
}

static void add_words(struct reader *r, const char *line)
{
    size_t item = item_length(line);

    if (r->open && !item && (r->open->kind == PARAGRAPH || r->open->kind == ITEM)) {
        r->open->text = text_of("%s %s", r->open->text, line + strspn(line, " "));
        return;
    }
    r->open = add(r, item ? ITEM : PARAGRAPH, text_of("%s", line + item));
}

// A comment, a mark or a tag. Returns 0 for any other line.
static int take_markup(struct reader *r, const char *line)
{
    const char *bare = line + strspn(line, " ");

    if (begins(bare, SLIDE_MARK))
        r->marked = 1;
    else if (begins(line, BLOCK_BEGIN)) {
        const char *command = line + strlen(BLOCK_BEGIN), *end = strstr(command, " -->");

        add(r, GENERATED, text_of("%.*s", end ? (int)(end - command) : 0, command));
        r->inside = BLOCK_END;
    } else if (begins(bare, "<!--"))
        add(r, NUMBERS, text_of("%s", bare));
    else if (begins(bare, "<details"))
        r->answer = 1;
    else if (begins(bare, "</details"))
        r->answer = 0;
    else
        return 0;
    r->open = NULL;
    return 1;
}

static void take_line(struct reader *r, const char *line)
{
    if (r->inside) {
        if (begins(line, r->inside))
            r->inside = NULL, r->open = NULL;
        else if (strcmp(r->inside, BLOCK_END) != 0)
            r->notes.block[r->notes.n - 1].text =
                text_of("%s%s\n", r->notes.block[r->notes.n - 1].text, line);
    } else if (take_markup(r, line)) {
    } else if (begins(line, "```")) {
        add(r, CODE, "");
        r->inside = "```";
    } else if (line[0] == '#') {
        int level = (int)strspn(line, "#");

        add(r, HEADING, text_of("%s", line + level + strspn(line + level, " ")))->level = level;
    } else if (begins(line, "!["))
        add_picture(r, line);
    else if (line[0] == '|')
        add_line(r, TABLE, line);
    else if (begins(line, "    ") && (!r->open || r->open->kind == CODE))
        add_line(r, CODE, line + 4);
    else if (!line[strspn(line, " \r")])
        r->open = NULL;
    else
        add_words(r, line);
}

struct notes notes_of(const char *path)
{
    struct reader r = { .inside = NULL };
    char *text = read_text(path), *line;

    while ((line = strsep(&text, "\n")))
        take_line(&r, line);
    return r.notes;
}

// --- text with styles

// The length of "[text](link)" at s, whose text is n long; 0 if there is none.
static size_t link_length(const char *s, size_t *n)
{
    const char *middle = strstr(s, "](");
    size_t close = 0;

    for (int depth = 0; s[close]; close++) {   // the text may have brackets itself
        depth += (s[close] == '[') - (s[close] == ']');
        if (!depth)
            break;
    }
    if (!middle || middle != s + close || !strchr(middle, ')'))
        return 0;
    *n = close - 1;
    return strchr(middle, ')') + 1 - s;
}

// The length of a citation, " [2]", at s.
static size_t citation_length(const char *s)
{
    size_t n = begins(s, " [") ? strspn(s + 2, "0123456789") : 0;

    return n && s[n + 2] == ']' && s[n + 3] != '(' ? n + 3 : 0;
}

// Markdown's marks of emphasis. An asterisk between blanks is a product.
static size_t style_at(const char *text, const char *s, int *style)
{
    int blank = (s == text || isspace((unsigned char)s[-1])) && isspace((unsigned char)s[1]);

    *style = *s == '`' ? TYPEWRITER : begins(s, "**") ? BOLD : ITALIC;
    return *s == '`' ? 1 : begins(s, "**") ? 2 : *s == '*' && !blank ? 1 : 0;
}

char *styled_of(const char *markdown)
{
    char *styled = must_malloc(strlen(markdown) + 1), *to = styled;
    int code = 0, style;

    for (const char *s = markdown; *s;) {
        size_t text = 0, n = link_length(s, &text), skip = code ? 0 : citation_length(s);

        if (!code && *s == '[' && n) {
            char *inner = styled_of(text_of("%.*s", (int)text, s + 1));

            to = stpcpy(to, inner);
            s += n;
        } else if (skip) {
            s += skip;
        } else if ((n = style_at(markdown, s, &style)) && (!code || style == TYPEWRITER)) {
            *to++ = (char)style;
            code ^= style == TYPEWRITER;
            s += n;
        } else
            *to++ = *s++;
    }
    *to = '\0';
    return styled;
}

size_t sentence_length(const char *styled)
{
    int open = 0, depth = 0;   // styles that have begun; parentheses

    for (size_t i = 0; styled[i]; i++) {
        size_t end = i + 1 + strspn(styled + i + 1, "\")"), word = end + strspn(styled + end, " ");

        depth += (styled[i] == '(') - (styled[i] == ')');
        if (styled[i] > 0 && styled[i] <= LAST_STYLE)
            open ^= 1 << styled[i];
        if (open || !strchr(".?!", styled[i]) || styled[end] != ' ')
            continue;
        for (size_t k = i + 1; k < end; k++)
            depth -= styled[k] == ')';
        i = end - 1;
        if (depth <= 0 &&
            (isupper((unsigned char)styled[word]) || isdigit((unsigned char)styled[word]) ||
             strchr("\"(\1\2\3", styled[word])))
            return end;
    }
    return strlen(styled);
}
