// Pictures in files: PGM in its binary form (P5), of 8-bit pixels. The format is at
// https://netpbm.sourceforge.net/doc/pgm.html.
#ifndef PICTURE_H
#define PICTURE_H

struct picture {
    int width, height;
    unsigned char *pixels;   // row after row, without gaps
};

// Reads a file into memory of its own, which it allocates. Returns NULL, or what is wrong and what
// is accepted.
const char *picture_read(const char *file, struct picture *);

// Why a file of that name cannot be written, as far as can be told now; NULL where it can.
const char *picture_refused(const char *file);

// Writes a file, or where that fails leaves what was there, and returns why.
const char *picture_write(const char *file, const struct picture *);

#endif
