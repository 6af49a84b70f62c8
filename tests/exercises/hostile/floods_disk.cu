// Graded: 0 stopped|refused|wrong: .
// Attack: fills the disk. Ends at 256 MiB so that a machine whose grader fails this test survives;
// leaves marker_floods_disk.
#include "transpose.h"
#include <cstdio>
#include <unistd.h>

void transpose(const float *in, float *out, int rows, int cols)
{
    static const char *const paths[] = { "marker_floods_disk", "/tmp/marker_floods_disk" };
    static char megabyte[1 << 20] = { 1 };

    for (const char *path : paths) {
        FILE *file = fopen(path, "w");

        for (int i = 0; file && i < 128; i++)
            fwrite(megabyte, 1, sizeof megabyte, file);
        if (file)
            _exit(99);
    }
}
