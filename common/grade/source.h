// What a submission may not contain, because it would change how its accesses are counted. It runs
// in a confined process, so files and other processes are no matter of these rules.
#ifndef SUBMISSION_H
#define SUBMISSION_H

// Checks the source as the student wrote it, with all branches of its conditions: directives,
// inline assembly, attributes. Returns NULL, or what is not allowed.
const char *submission_source(const char *text);

// Checks the preprocessed text for the same code, in the lines of `file`, the name that the
// compiler was given.
const char *submission_preprocessed(const char *text, const char *file);

// Checks the symbols that the object file uses. `runtime` is the object file of the harness and the
// CPU device; of its functions, a submission may call those of CUDA.
const char *submission_symbols(const char *object, const char *runtime);

// For each function of the libraries and each of CUDA that the object calls: writes the line "NAME
// GATE" to `list`, and a function GATE to `assembly`, which leads to NAME through the checks of
// common/emu/guard.cpp. Returns whether there are any.
int submission_gates(const char *object, const char *list, const char *assembly);

#endif
