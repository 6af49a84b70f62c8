// Calls from the wrong side as g++ resolves them: of members, constructors, operators, and of one
// of several overloaded functions. The calls are in the compiler's list of statements before any
// optimization (-fdump-tree-cfg-lineno-asmname).
#ifndef PASS_CALLED_H
#define PASS_CALLED_H

#include <string>

#include "refused.h"

// Lines of comments for report_called(): the functions that the source defines, and their sides;
// what nvcc refuses in them.
std::string functions_of(const Source &, const std::vector<Body> &, NvccOptions);

// Prints errors. Returns their number. `pass` is what the source pass wrote.
int report_called(const std::string &list, const std::string &pass);

#endif
