#include "needs.h"

#include <stdio.h>

int needs_met(const char *needs, int sm)
{
    char letter = '\0';
    int least;

    if (sscanf(needs, "sm_%d%c", &least, &letter) < 1)
        return 1;
    return letter ? sm == least : sm >= least;
}
