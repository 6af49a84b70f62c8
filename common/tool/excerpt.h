// The code that pages and slides show: lines of a source file, with those marked that it changes of
// another one.
#ifndef EXCERPT_H
#define EXCERPT_H

// The most lines of code on a slide, and the most characters of a line.
enum { SLIDE_LINES = 15, SLIDE_COLUMNS = 76 };

struct excerpt {
    const char *file;
    const char *before;   // the file that this one changes; "": no line is marked
    const char *signs;    // "+-": new and old lines are marked; "+": old lines are omitted
    const char
        *from;      // the first line that contains this text, and those after it; NULL: see below
    int lines;      // in all; 0: up to the end of the statement or function that begins there
    int slide;      // SLIDE_LINES at most, without comments of whole lines and empty lines
    int comments;   // of a page: with comments of whole lines
};

// The lines of a block of code, without its fences. Without `from`, the excerpt of a slide is the
// SLIDE_LINES with the most changes, and that of a page has all changed lines, each with two lines
// before and after it; without marks, both show the kernel. The head of a file and its #include
// lines are never shown. Returns NULL if there is no such line.
char *excerpt_of(const struct excerpt *);

// The stage that this one changes: the one that its head names ("// From:"); else, of a stage of
// the core ladder `core`, the one before it there, and of any other stage, the one with the number
// before. "" if there is none.
const char *stage_before(const char *folder, const char *core, const char *stage);

#endif
