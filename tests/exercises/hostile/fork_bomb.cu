// Graded: 0 stopped|refused|wrong: .
// Attack: a fork bomb, which ends at 512 processes so that a machine whose grader fails this test
// survives. They sleep for 100 s.
#include "transpose.h"
#include <unistd.h>

void transpose(const float *in, float *out, int rows, int cols)
{
    int self = getpid(), done = 0;

    for (int depth = 0; depth < 9; depth++)
        done |= fork() >= 0;
    if (getpid() != self)
        sleep(100);
    if (done)
        _exit(99);
}
