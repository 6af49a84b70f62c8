// References: shared objects beside the program, each with the week's function and a stage_info of
// its own.
#ifndef REFERENCES_H
#define REFERENCES_H

#include "contender.h"

enum { MOST_REFERENCES = 8 };

// Loads every ref_*.so in this folder, in the order of their names; returns how many. One that
// cannot be loaded, for example because a library is missing, is reported on stderr and skipped.
// One with a precision of its own is a reference only for a stage that also has an "// Arithmetic:"
// line.
int references_load(struct contender refs[MOST_REFERENCES], const struct week *,
                    const struct stage_info *stage, const char *folder);

#endif
