// One run of a stage's program.
#ifndef SESSION_H
#define SESSION_H

#include "status.h"
#include "week.h"

// Parses the command line and carries it out. Returns the program's exit status.
enum status session_run(const struct week *, const struct stage_info *, int argc, char *argv[]);

#endif
