// Programs with faults, each beside the correct one: a kernel is a template, and with RIGHT it has
// what the fault lacks. The program's argument is the name of a fault, or ok_ and the name for the
// correct kernel. Without an argument, it prints the names.
#ifndef PAIRS_H
#define PAIRS_H

#include <stdio.h>
#include <string.h>

#define FAULT_OF(name, ...) template <bool RIGHT> __global__ void name(__VA_ARGS__)

// Calls launch(is_right) if the arguments choose the kernel of this name.
template <class Launch> static void chosen(int argc, char **argv, const char *name, Launch launch)
{
    bool is_right = argc == 2 && strncmp(argv[1], "ok_", 3) == 0;

    if (argc == 1)
        printf("%s\n", name);
    else if (strcmp(name, argv[1] + (is_right ? 3 : 0)) == 0)
        launch(is_right);
}

#endif
