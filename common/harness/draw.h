// A drawing of one call of a stage, as text: which thread reads and writes which element, and which
// elements are wrong. For small problems, on the CPU device.
#ifndef DRAW_H
#define DRAW_H

#include "status.h"
#include "week.h"

struct arrays;

struct drawing {
    struct problem problem;
    struct arrays *arrays;
    void *device[MAX_BUFFERS];   // the arrays with which the stage has to be called
};

// Makes arrays for a call, and starts to record it. Ends the program with STATUS_USAGE if the
// problem is too large to draw.
void drawing_begin(struct drawing *, const struct problem *);

// After the call, or in a diagnosis that has ended it: prints the drawing. `why`: what the CPU
// device found or CUDA reported, or NULL. Returns STATUS_OK if all elements are right.
enum status drawing_print(const struct drawing *, const char *why);

#endif
