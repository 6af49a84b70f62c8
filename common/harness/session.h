// One run of a stage's program.
#ifndef SESSION_H
#define SESSION_H

#include "status.h"
#include "week.h"

// Does what the command line asks for. Returns the program's exit status.
enum status session_run(const struct week *, const struct stage_info *, int argc, char *argv[]);

#endif
