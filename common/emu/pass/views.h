#ifndef PASS_VIEWS_H
#define PASS_VIEWS_H

#include "tokens.h"

// `host` is the source without __CUDA_ARCH__. If a file of the program mentions that macro, runs
// `command`, which preprocesses the source with it, and returns the text in which device code is
// that of the result, and host code that of `host`. If host code outside functions that are both
// depends on the macro, prints a note and returns the text of `host`.
// Files that mention EMU_CPU_DEVICE choose their code for the CPU device themselves.
std::string both_views(const Source &host, char **command);

// Does a file of the program contain `word`, and not `unless`?
bool mentions(const Source &, const char *word, const char *unless = nullptr);

#endif
