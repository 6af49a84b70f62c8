// The limits of resources (ulimit) with which grading was started.
#ifndef INHERITED_H
#define INHERITED_H

#include "grade.h"

// Ends the program if a limit is below what the parts of grading need: they would blame the
// submissions. A soft limit is raised, if the hard one allows that.
void must_have_resources(const struct grading *);

#endif
