// SHA-256 (FIPS 180-4), to tell the contents of files apart.
#ifndef SHA256_H
#define SHA256_H

#include <stddef.h>

enum { SHA256_TEXT = 2 * 32 + 1 };

// The hash of n bytes, in hexadecimal, as sha256sum prints it.
void sha256(const void *bytes, size_t n, char text[SHA256_TEXT]);

#endif
