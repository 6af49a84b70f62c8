// What nvcc refuses in device code although g++ compiles it: exceptions, launches, host variables,
// and host code of the C++ library.
#ifndef PASS_REFUSED_H
#define PASS_REFUSED_H

#include <string>
#include <vector>

#include "bodies.h"

// Options of nvcc that allow more. file.mk turns each into a macro for g++.
struct NvccOptions {
    bool
        relaxed_constexpr;   // -DEMU_RELAXED_CONSTEXPR: constexpr functions are those of both sides
    bool separate;           // -DEMU_SEPARATE_COMPILATION: kernels may launch kernels
};

constexpr char refused_mark[] = "\n// refused: ", judges_std_mark[] = "\n// std is judged";

NvccOptions nvcc_options(char **command);

// Lines of comments for report_called(), one per use: an error if g++ lists the function around it.
// A template that is not used is not listed, and nvcc does not judge it, either.
std::string refused_uses(const Source &, const std::vector<Body> &, NvccOptions);

#endif
