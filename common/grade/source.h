// What a submission may contain: the lists of the file `allowed` (lists.h). What is not in them
// could change how its accesses are counted, or what the CPU device and a GPU compile.
#ifndef SOURCE_H
#define SOURCE_H

// Checks the source as the student wrote it, with all branches of its conditions: directives,
// headers, attributes, and words that the standards reserve for compilers and libraries. Returns
// NULL, or what is not allowed: "line 12: 'asm'; ...".
const char *submission_source(const char *text);

// Checks the attributes in what the preprocessor made of the submission, where macros are expanded.
const char *submission_attributes(const char *preprocessed);

// Checks the symbols that the object file uses and defines. `list` is "symbols", or "gpu" for an
// object of nvcc; `source` is the text of the submission, for the line. Returns NULL, or what is
// not allowed.
const char *submission_symbols(const char *object, const char *list, const char *source);

// The text without comments, literals and names of headers, on the same lines.
char *source_words(const char *text);

// For each function of the lists `guarded` and `counted`: a line "NAME guarded_NAME", "NAME
// emu_NAME".
const char *guarded_names(void);

#endif
