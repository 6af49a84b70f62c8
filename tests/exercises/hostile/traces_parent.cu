// Graded: 0 stopped|refused|wrong: .
// Attack: attaches to its parent as a debugger does, and never lets it continue; leaves
// marker_traces_parent.
#include "transpose.h"
#include <cstdio>
#include <sys/ptrace.h>
#include <unistd.h>

void transpose(const float *in, float *out, int rows, int cols)
{
    if (ptrace(PTRACE_SEIZE, getppid(), 0, 1 << 20) == 0) {   // PTRACE_O_EXITKILL
        fopen("marker_traces_parent", "w");
        _exit(99);
    }
}
