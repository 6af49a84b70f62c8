// The limits of what grading starts: of the compiler (build.c), and of a submission's process
// (isolated.c). What a run inherits from its shell must not be lower (inherited.c).
#ifndef GRADE_LIMITS_H
#define GRADE_LIMITS_H

// Of each command of the compiler: CPU time, wall time, address space, size of a file.
enum { BUILD_SECONDS = 60, BUILD_WALL = 180, BUILD_MB = 4096, BUILD_FILE_MB = 64 };

// Of a submission's process: address space, of which the CPU device reserves much more than it
// uses; memory; what it prints; checks and counts, each with the limit of CPU time.
enum { SPACE_MB = 8 << 10, MEMORY_MB = 4 << 10, LOG_BYTES = 1 << 20, MOST_STEPS = 20 };

// Its limit of wall time, in seconds per second of CPU time.
enum { WALL_PER_CPU = 10 };

#endif
