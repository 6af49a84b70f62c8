// Graded: 0 stopped|refused|wrong: .
// Attack: a constructor of the highest priority opens files before main(); leaves
// marker_constructor.
#include "transpose.h"
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <unistd.h>

__attribute__((constructor(101))) static void attack()
{
    const char *home = getenv("HOME");
    int here = creat("marker_constructor", 0600), tmp = creat("/tmp/marker_constructor", 0600);

    if (home)
        creat((std::string(home) + "/marker_constructor").c_str(), 0600);
    if (here >= 0 || tmp >= 0)
        _exit(99);
}

void transpose(const float *in, float *out, int rows, int cols) {}
