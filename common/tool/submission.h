// What a submission may contain. It is compiled into a process that cannot decide whether its
// outputs are correct (harness/isolated.h). These rules keep it from the rest of the machine and
// from the functions that control the counts. They are no proof: the counts are taken in its
// process, and a store to the runtime's memory could change them.
#ifndef SUBMISSION_H
#define SUBMISSION_H

// Checks the source as the student wrote it, with all branches of its conditions: directives, the
// headers that it includes, inline assembly, attributes. `header` is the week's own. Returns NULL,
// or what is not allowed.
const char *submission_source(const char *text, const char *header);

// Checks the preprocessed text for the same code, in the lines of `file`, the name that the
// compiler was given.
const char *submission_preprocessed(const char *text, const char *file);

// Checks the symbols of the object file. `entry` is the week's function. An object whose accesses
// are counted may not call memcpy() and the like.
const char *submission_symbols(const char *object, const char *entry, int counted);

#endif
