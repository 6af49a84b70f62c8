// __device__ and __constant__ variables that host code names. On a GPU, such a name is that of a
// copy on the host, which the functions for symbols (cudaMemcpyToSymbol) take for the variable.
#ifndef PASS_SYMBOLS_H
#define PASS_SYMBOLS_H

#include <map>

#include "bodies.h"

// The uses in host code of which the value or address counts: first token of the name, with its
// namespaces -> last token.
std::map<size_t, size_t> host_uses(const Source &, const std::vector<Body> &);

// Warns of those that read or write the variable, where nvcc does so (20091, 20092).
void warn_of_host_uses(const Source &, const std::vector<Body> &,
                       const std::map<size_t, size_t> &uses);

#endif
