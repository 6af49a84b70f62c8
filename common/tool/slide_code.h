// The lines of a stage's kernel, and those that differ from the stage that it changes.
#ifndef SLIDE_CODE_H
#define SLIDE_CODE_H

#include <stddef.h>

struct code_line {
    const char *sign;   // "+": new, "-": old, " ": of a kernel without a predecessor; "": a gap
    const char *text;
    int continues;   // the line before
};

struct code {
    struct code_line *line;
    int n;
};

// The lines of the kernel in a file, and of what it uses, without comments and empty lines. What is
// between parentheses is on one line.
struct code kernel_of(const char *path);

// What `after` changes of `before`, two stages of a week. Runs of changed lines have a gap between
// them, and keep only the indentation that their lines do not share. If the kernels are equal, the
// rest of the code is compared, which launches them.
struct code changes_of(const char *before, const char *after);

// The lines with this sign, without the others.
struct code code_with(const struct code *, const char *sign);

// The lines of a text.
struct code code_of_text(const char *text);

// The same with lines of at most this many characters.
struct code code_wrapped(const struct code *, size_t most);

#endif
