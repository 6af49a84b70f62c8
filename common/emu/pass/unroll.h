#ifndef PASS_UNROLL_H
#define PASS_UNROLL_H

#include "tokens.h"

// Rewrites one line of the text before token i: `#pragma unroll` becomes g++'s pragma, other lines
// stay unchanged.
std::string rewritten_pragma(const Source &, size_t i, std::string_view line);

#endif
