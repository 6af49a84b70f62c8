// Graded: 0 stopped|refused|wrong: .
// Attack: executes its own program again, as a program of the course with options of its choice:
// --tsv writes marker_execs_itself.tsv. A static program has no other program to start from.
#include "transpose.h"
#include <cstdlib>
#include <unistd.h>

void transpose(const float *in, float *out, int rows, int cols)
{
    if (getenv("AGAIN"))
        return;
    setenv("AGAIN", "1", 1);
    execl("/proc/self/exe", "exercise1", "--size", "1x1", "--tsv", "marker_execs_itself.tsv",
          (char *)nullptr);
    execl("/bin/sh", "sh", "-c", "touch marker_execs_itself; exit 99", (char *)nullptr);
}
