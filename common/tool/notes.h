// The pages of the notes, in blocks. Code, tables and generated text are skipped.
#ifndef NOTES_H
#define NOTES_H

// SLIDE: a comment <!-- slide: TITLE ... -->, which is invisible on the web
enum block_kind { TITLE, PARAGRAPH, PICTURE, SLIDE };

struct block {
    enum block_kind kind;
    int level;           // of a title: 2 for "## The limit"
    int answer;          // within <details>
    const char *where;   // "README.md:12"
    // TITLE, PARAGRAPH (also an item of a list): one line; PICTURE: the name of the file without
    // its folder and ending; SLIDE: the lines of the comment, the first is its title
    const char *text;
};

struct notes {
    struct block *block;
    int n;
};

// Appends the blocks of a page. Ends the program if it cannot be read, or if a slide does not end.
void read_notes(struct notes *, const char *path);

// Markdown with the text of its links only.
char *without_links(const char *markdown);

#endif
