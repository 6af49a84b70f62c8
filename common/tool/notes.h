// The pages of the notes, in blocks, and their text with styles.
#ifndef NOTES_H
#define NOTES_H

#include <stddef.h>

enum block_kind { HEADING, PARAGRAPH, ITEM, TABLE, CODE, GENERATED, PICTURE, NUMBERS };

struct block {
    enum block_kind kind;
    int level;    // of a heading: 2 for "## The limit"
    int answer;   // within <details>
    int marked;   // the line SLIDE_MARK is above it
    // PARAGRAPH, ITEM, HEADING: one line; TABLE, CODE: lines; NUMBERS: the comment; GENERATED: the
    // command; PICTURE: the name of the file without its folder and ending
    const char *text;
};

struct notes {
    struct block *block;
    int n;
};

// The line above a block that slides show in place of what they would choose.
#define SLIDE_MARK "<!-- slide -->"

// Reads a page. Ends the program if it cannot be read.
struct notes notes_of(const char *path);

// Text with styles: each of these bytes begins its style, and ends it again.
enum { BOLD = 1, ITALIC = 2, TYPEWRITER = 3, LAST_STYLE = 3 };

// Markdown as text with styles. Links become their text; citations like [2] are removed.
char *styled_of(const char *markdown);

// The length of the first sentence of a text with styles, without the blanks after it.
size_t sentence_length(const char *styled);

#endif
