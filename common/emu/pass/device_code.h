#ifndef PASS_DEVICE_CODE_H
#define PASS_DEVICE_CODE_H

#include <string>

#include <utility>
#include <vector>

#include "tokens.h"

// The { and } of the bodies of functions with __global__ or __device__.
std::vector<std::pair<size_t, size_t>> device_bodies(const Source &);

// A line of comment per function with __global__ or __device__: "// device code: FIRST LAST FILE",
// the lines of its body.
std::string device_code(const Source &);

#endif
