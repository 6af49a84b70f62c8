// Readable names of kernels.
#ifndef KERNEL_NAME_H
#define KERNEL_NAME_H

#include <stddef.h>

// Writes the plain name of a function to out[]: "transpose_tile" for "_Z14transpose_tilePKfPfii",
// without namespaces and template arguments. A name that is not mangled is copied.
void kernel_name(const char *symbol, char *out, size_t room);

#endif
