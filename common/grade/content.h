// Which file was graded: a hash of its content.
#ifndef CONTENT_H
#define CONTENT_H

// The first CONTENT digits of the SHA-256 of a file, as sha256sum prints it; "" if it cannot be
// read.
const char *content_of(const char *path);

// The same of a text.
const char *content_of_text(const char *text);

#endif
