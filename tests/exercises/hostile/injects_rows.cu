// Graded: 0 stopped|refused|wrong: ^[^=+@-].*$
// Attack: prints and refuses with texts that would be rows of the table, formulas of a spreadsheet
// and commands of a terminal.
#include "transpose.h"

#include <cstdio>
#include <cstdlib>

void transpose(const float *in, float *out, int rows, int cols)
{
    const char *row = "=1+1\t9\t9\tsolved\t\nhonest_1.cu\t9\t9\tsolved\t\r\n\033]0;title\007";

    for (int i = 0; i < 99; i++)
        printf("%s exercise1-%d.cu: %s exercise1-%d.cu:1: %s", row, i, row, i, row);
    fflush(stdout);
    refuse(row);
    if (rows > 1)
        exit(1);
}
