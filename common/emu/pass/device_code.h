#ifndef PASS_DEVICE_CODE_H
#define PASS_DEVICE_CODE_H

#include <string>

#include <vector>

#include "tokens.h"

// A function with __global__ or __device__: the token of that word, and the { and } of the body.
struct DeviceFunction {
    size_t word, body, end;
};
std::vector<DeviceFunction> device_functions(const Source &);

// A line of comment per function with __global__ or __device__: "// device code: FIRST LAST FILE",
// the lines of its body.
std::string device_code(const Source &);

#endif
