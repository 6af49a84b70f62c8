// Variables that the other side names: __device__ and __constant__ variables in host code, where
// the name is that of a copy on the host, which the functions for symbols (cudaMemcpyToSymbol) take
// for the variable; and host variables in device code.
#ifndef PASS_SYMBOLS_H
#define PASS_SYMBOLS_H

#include <map>
#include <string>

#include "bodies.h"

// A __device__, __constant__ or __managed__ variable.
struct DeviceVariable {
    std::string_view space;   // one of these words
    size_t name, end;         // its token; that after its initializer
    unsigned dimensions;      // of an array
};
std::vector<DeviceVariable> device_variables(const Source &);
// The error for one whose initializer is no constant.
std::string dynamic_initialization(std::string_view space, std::string_view name);

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
