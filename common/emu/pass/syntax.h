// Errors of syntax, as g++ finds them.
#ifndef PASS_SYNTAX_H
#define PASS_SYNTAX_H

#include "tokens.h"

// For a source that the source pass cannot read: lets g++ read it without CUDA's words, and prints
// its first error of syntax. `command` preprocesses the source. False: there is none.
bool print_syntax_error(const Source &, char **command);

#endif
