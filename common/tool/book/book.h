// What readers get: pages with their generated parts, tables in Markdown, slides, progress; and the
// exercises (exercise.h).
#ifndef BOOK_H
#define BOOK_H

#include "text.h"

enum status command_markdown(struct arguments);            // markdown.c
enum status command_hardware(struct arguments);            // hardware.c
enum status command_machine(struct arguments);             // machine.c
enum status command_validation(struct arguments);          // validation.c
enum status print_unseen(const char *gpu, int outliers);   // unseen.c: of `ladder validation`
enum status command_traffic(struct arguments);             // traffic.c
enum status command_differences(struct arguments);         // differences.c
enum status command_slides(struct arguments);              // slides.c
enum status command_code(struct arguments);                // code.c
enum status command_exam(struct arguments);                // exam.c
enum status command_log(struct arguments);                 // log.c
enum status command_readme(struct arguments);              // readme.c
enum status command_numbers(struct arguments);             // numbers.c
enum status command_progress(struct arguments);            // progress.c
enum status command_exercise(struct arguments);            // exercise.c
enum status command_judge(struct arguments);               // judge.c

// --- excerpt.c ---

// The code that pages and slides show: lines of a source file, with those marked that it changes of
// another one.

// The most lines of code on a slide, and the most characters of a line.
enum { SLIDE_LINES = 15, SLIDE_COLUMNS = 76 };

struct excerpt {
    const char *file;
    const char *before;   // the file that this one changes; "": no line is marked
    const char *signs;    // "+-": new and old lines are marked; "+": old lines are omitted
    const char
        *from;      // the first line that contains this text, and those after it; NULL: see below
    int lines;      // in all; 0: up to the end of the statement or function that begins there
    int slide;      // SLIDE_LINES at most, without comments of whole lines, empty lines and knobs
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

// --- page.c ---

// Pages in Markdown, line by line: what each line belongs to.

// PARAGRAPH: also an item of a list. PICTURE: ![...](...) alone. OTHER: empty, of a table, a tag.
// GENERATED: the marks of a generated block and the lines between them; the command follows the
// first mark. CODE: the same with ```. COMMENT: <!-- ... -->, which may have several lines.
enum page_kind { PARAGRAPH, PICTURE, OTHER, HEADING, CODE, GENERATED, COMMENT };

#define PAGE_COMMENT "<!--"
#define PAGE_COMMENT_END "-->"
#define PAGE_BLOCK "<!-- begin: "
#define PAGE_BLOCK_END "<!-- end -->"
#define PAGE_CODE "```"

struct page_line {
    enum page_kind kind;
    int begins;          // it is the first line of its block
    int ends;            // the last one, but not of a paragraph
    int is_answer;       // within <details>
    const char *where;   // "README.md:12"
    const char *text;
};

struct page {
    struct page_line *line;
    int n;   // a line end at the end of the page is followed by an empty line
};

// Appends the lines of a page. Ends the program if it cannot be read, or if a block does not end.
void page_read(struct page *, const char *path);

// The text of the comment or paragraph that begins in line i, after this prefix; NULL if none
// begins there, or not with the prefix. A paragraph is one line, without the mark of an item.
char *page_text(const struct page *, int i, const char *prefix);

// --- readme.c ---

// Runs a command of a page in the page's folder, with a shell. Returns what it prints; ends the
// program if it fails.
char *command_output(const char *page, const char *command);

// --- machine.c ---

// A number of `make machine`, recorded for a GPU: machine_value("h200", "mma.bf16.rate"). NULL if
// common/machine has none.
const char *machine_value(const char *gpu, const char *name);

// --- markdown.c ---

// The growing table of a slide: time, rate, step and total gain of the stages of this list up to
// `last`, which is bold; of many, the first one and the latest ones. The last row is the library's.
struct listing growing_table(const struct table *, const struct place *, const char *folder,
                             const char *stages, const char *last);

// The rows of a stage, of the one before it ("": there is none) and of the references, with a bar
// each. `same_run`: the references of the stage's run, which may differ much from their medians.
struct listing result_table(const struct table *, const struct place *, const char *folder,
                            const char *before, const char *stage, int same_run);

#endif
