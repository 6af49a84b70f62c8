// A page in Markdown, line by line: what each line belongs to.
#ifndef PAGE_H
#define PAGE_H

// COMMENT: <!-- ... -->, which may have several lines. GENERATED: the marks of a generated block
// and the lines between them; the command follows the first mark. CODE: the same with ```.
enum page_kind { WORDS, HEADING, CODE, GENERATED, COMMENT };

#define PAGE_COMMENT "<!--"
#define PAGE_COMMENT_END "-->"
#define PAGE_BLOCK "<!-- begin: "
#define PAGE_BLOCK_END "<!-- end -->"
#define PAGE_CODE "```"

struct page_line {
    enum page_kind kind;
    int begins, ends;   // it is the first or last line of its block
    const char *text;
};

struct page {
    struct page_line *line;
    int n;   // a line end at the end of the page is followed by an empty line
};

// Ends the program if the page cannot be read, or if a block does not end.
struct page page_read(const char *path);
// The text of the comment that begins in line i, after this prefix; NULL if it does not begin so.
char *page_comment(const struct page *, int i, const char *prefix);

#endif
