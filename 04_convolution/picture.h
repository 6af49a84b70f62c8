// Reads and writes pictures: binary PGM (P5) with 8-bit pixels. The format is documented at
// https://netpbm.sourceforge.net/doc/pgm.html.
#ifndef PICTURE_H
#define PICTURE_H

struct picture {
    int width, height;
    unsigned char *pixels;   // row-major, without gaps
};

// Reads a file into memory that it allocates; the caller frees it. Returns NULL, or a message that
// says what is wrong and what is accepted.
const char *picture_read(const char *file, struct picture *);

// Returns NULL, or why a file of that name cannot be written, as far as that is known in advance.
const char *picture_refused(const char *file);

// Writes a file. Returns NULL, or why it failed; an existing file is then unchanged.
const char *picture_write(const char *file, const struct picture *);

#endif
