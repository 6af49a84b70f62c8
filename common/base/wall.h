// Wall time.
#ifndef WALL_H
#define WALL_H

// The limit of wall time of a submission's process (grade/isolated.h), which the tool that waits
// for it needs, too: seconds of wall time per second of CPU time.
enum { WALL_PER_CPU = 10 };

// Seconds since some start.
double seconds_now(void);

#endif
