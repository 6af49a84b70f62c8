// What a submission may contain. It is compiled into a process that can decide nothing about its
// result (harness/isolated.h); these rules keep it from the rest of the machine, and from the
// counts.
#ifndef SUBMISSION_H
#define SUBMISSION_H

// Checks the source as the student wrote it: which directives it has and which headers it includes.
// `header` is the week's own. Returns NULL, or what is not allowed.
const char *submission_source(const char *text, const char *header);

// Checks the preprocessed text for inline assembly and sections, in the lines of `file`, the name
// that the compiler was given.
const char *submission_preprocessed(const char *text, const char *file);

// Checks the symbols of the object file. `entry` is the week's function.
const char *submission_symbols(const char *object, const char *entry);

#endif
