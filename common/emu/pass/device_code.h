#ifndef PASS_DEVICE_CODE_H
#define PASS_DEVICE_CODE_H

#include <string>

#include "tokens.h"

// A line of comment per function with __global__ or __device__: "// device code: FIRST LAST FILE",
// the lines of its body.
std::string device_code(const Source &);

#endif
