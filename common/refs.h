// References: shared objects beside the program, each with the week's function and a stage_info of its own.
#ifndef REFS_H
#define REFS_H

#include "runner.h"

enum { MOST_REFS = 8 };

// Loads every ref_*.so in the program's folder, in the order of their names; returns how many. One that cannot be loaded, such as for want
// of a vendor's library, is told on stderr and left out. Call it once.
int refs_load(struct runner refs[MOST_REFS]);

#endif
