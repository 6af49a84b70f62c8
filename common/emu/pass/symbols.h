// Variables that the other side names: __device__ and __constant__ variables in host code, where
// the name is that of a copy on the host, which the functions for symbols (cudaMemcpyToSymbol) take
// for the variable; and host variables in device code.
#ifndef PASS_SYMBOLS_H
#define PASS_SYMBOLS_H

#include <map>

#include "bodies.h"

// The uses in host code of which the value or address counts: first token of the name, with its
// namespaces -> last token.
std::map<size_t, size_t> host_uses(const Source &, const std::vector<Body> &);

// The uses of host variables in device code: the token of the name -> that of its declaration. A
// constant is among them, although g++ and nvcc may replace it by its value.
std::map<size_t, size_t> device_uses(const Source &, const std::vector<Body> &);

// The names of __constant__ variables, no arrays, that device code writes.
std::vector<size_t> constant_writes(const Source &, const std::vector<Body> &);

// Warns of those that read or write the variable, where nvcc does so (20091, 20092).
void warn_of_host_uses(const Source &, const std::vector<Body> &,
                       const std::map<size_t, size_t> &uses);

#endif
