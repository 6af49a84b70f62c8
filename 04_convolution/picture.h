// Pictures in files: PGM in its binary form (P5), of 8-bit pixels. The format is at
// https://netpbm.sourceforge.net/doc/pgm.html.
#ifndef PICTURE_H
#define PICTURE_H

struct picture {
    int width, height;
    unsigned char *pixels;   // row-major, without gaps
};

// Reads a file into memory that it allocates. Returns NULL, or what is wrong and what is accepted.
const char *picture_read(const char *file, struct picture *);

// Returns why a file of that name cannot be written, as far as is known before writing, or NULL.
const char *picture_refused(const char *file);

// Writes a file. Returns NULL, or why it failed; then the old file is unchanged.
const char *picture_write(const char *file, const struct picture *);

#endif
