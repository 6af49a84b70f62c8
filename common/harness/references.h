// References: shared objects beside the program, each with the week's function and a stage_info of
// its own.
#ifndef REFERENCES_H
#define REFERENCES_H

#include "contender.h"

enum { MOST_REFERENCES = 8 };

// Loads every ref_*.so in the program's folder, in the order of their names; returns how many. One
// that cannot be loaded, such as for want of a vendor's library, is told on stderr and left out.
// One of another arithmetic than the type's own is a reference only for a stage that has an "//
// Arithmetic:" line as well. Call it once.
int references_load(struct contender refs[MOST_REFERENCES], const struct stage_info *stage);

#endif
