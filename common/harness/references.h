// References: shared objects in the program's folder, each with the week's function and its own
// stage_info.
#ifndef REFERENCES_H
#define REFERENCES_H

#include "contender.h"

enum { MOST_REFERENCES = 8 };

// Loads every ref_*.so in this folder, in the order of their names; returns how many. One that
// cannot be loaded, for example because a library is missing, is reported on stderr and skipped. A
// reference with an "// Arithmetic:" line is used only for stages that also have one, and one with
// a "// Type:" line only for stages of that type.
int references_load(struct contender refs[MOST_REFERENCES], const struct week *,
                    const struct stage_info *stage, const char *folder);

#endif
