// The limit of wall time of a submission's process (harness/isolated.h), which the tool that waits
// for it needs, too.
#ifndef WALL_H
#define WALL_H

enum { WALL_PER_CPU = 10 };   // seconds of wall time per second of CPU time

#endif
