// Graded: 0 stopped|refused: .
// Attack: ignores or blocks every signal that a limit of time sends, and computes forever.
#include "transpose.h"
#include <signal.h>

static void nothing(int) {}

void transpose(const float *in, float *out, int rows, int cols)
{
    sigset_t all;

    for (int i = 1; i < 64; i++)
        signal(i, i == SIGXCPU ? nothing : SIG_IGN);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, nullptr);
    for (volatile int i = 0;; i = i + 1)
        ;
}
