#ifndef PASS_UNROLL_H
#define PASS_UNROLL_H

#include "tokens.h"

// One line of the blank before token i: `#pragma unroll` as g++'s pragma, anything else as it is.
std::string rewritten_pragma(const Source &, size_t i, std::string_view line);

#endif
