/* Names of kernels in machine code. */
#pragma once

// Finds a kernel by the mangled name that g++ gives its function, among n names of nvcc. They
// differ for static functions, in anonymous namespaces, and for lambdas. NULL: none or several
// match.
const char *kernel_named(const char *const name[], int n, const char *symbol);
