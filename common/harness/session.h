// One run of a stage's program.
#ifndef SESSION_H
#define SESSION_H

#include "status.h"
#include "week.h"

struct isolated;

// Parses the command line and carries it out. Returns the program's exit status. For grading, *kept
// is the process of the stage that an earlier call started, or NULL, and is set (backend.h). `kept`
// itself is NULL in all other programs.
enum status session_run(const struct week *, const struct stage_info *, int argc, char *argv[],
                        struct isolated **kept);

#endif
