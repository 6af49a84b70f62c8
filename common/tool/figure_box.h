// Panels of `ladder figure lanes` for bulk copies and operands of products: the first rows of a box
// in the sectors of global memory, or in the banks of shared memory.
#ifndef FIGURE_BOX_H
#define FIGURE_BOX_H

#include "events.h"
#include "sheet.h"

// The cells of panel `panel`. Returns the largest x.
int put_box(struct sheet *, const struct event *, int panel);

#endif
