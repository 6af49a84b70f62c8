// The guard bands around the arrays of a GPU, in host memory.
//
// Links: common/harness/buffers.c common/harness/problem.c common/harness/compare.c
#include "buffers.h"

#include <stdlib.h>

#include "tap.h"
#include "unit_cuda.h"
#include "unit_week.h"

static const struct problem problem = {
    .week = &week, .dim = { 33, 31, 1 }, .type = TYPE_I32, .seed = 1, .computes = ""
};
static const size_t BYTES = 33 * 31 * 4;

// The message after one byte is written, `at` bytes after the start of array i of a set. The byte
// is then restored.
static const char *after_write(const struct arrays *a, int set, int i, long at)
{
    void *device[MAX_BUFFERS];
    unsigned char *byte, before;
    const char *said;

    arrays_set(a, set, device);
    byte = (unsigned char *)device[i] + at;
    before = *byte;
    *byte = 0x5A;
    said = arrays_trespass(a, set);
    *byte = before;
    return said ? said : "nothing";
}

int main(void)
{
    struct arrays *a = arrays_new(&problem, 3);
    void *one[MAX_BUFFERS], *two[MAX_BUFFERS];
    int *in, *out;

    arrays_set(a, 0, one);
    arrays_set(a, 1, two);
    ok((size_t)one[0] % 256 == 0 && (size_t)one[1] % 256 == 0 && (size_t)two[1] % 256 == 0,
       "arrays are aligned");
    ok((char *)one[1] - (char *)one[0] > (long)BYTES &&
           (char *)two[0] - (char *)one[1] > (long)BYTES,
       "arrays are apart");
    arrays_fill(a, &problem);
    arrays_spread(a);
    arrays_poison(a, 0);
    for (int set = 0; set < 3; set++) {
        arrays_set(a, set, two);
        in = two[0];
        ok(in[0] == 1 && in[33 * 31 - 1] == 33 * 31, "set %d has all inputs", set);
        ok(arrays_trespass(a, set) == NULL, "nothing else is reported in set %d", set);
    }
    out = one[1];
    ok(out[0] == -1 && out[33 * 31 - 1] == -1, "outputs are poisoned");

    same_text(after_write(a, 0, 1, 17), "nothing", "an output may be written");
    has(after_write(a, 0, 1, (long)BYTES), "past the end of 'out', from byte 0",
        "a write past the end of the last array is found");
    has(after_write(a, 0, 0, (long)BYTES), "past the end of 'in', from byte 0",
        "a write past the end of the first array is found");
    has(after_write(a, 0, 1, (long)BYTES + 4095), "past the end of 'out'",
        "a write far past the end is found");
    has(after_write(a, 0, 0, -1), "1 bytes before the start of 'in'",
        "a write before the first array is found");
    has(after_write(a, 0, 1, -4), "4 bytes before the start of 'out'",
        "a write before the second array is found");
    has(after_write(a, 2, 1, (long)BYTES), "past the end of 'out'",
        "a write in another set is found");
    has(after_write(a, 0, 0, 40), "writes to its input 'in'", "a write to an input is found");
    same_text(after_write(a, 0, 1, 0), "nothing", "the sets are unchanged in the end");
    arrays_free(a);

    a = arrays_new(&problem, SEPARATE);
    arrays_set(a, 0, one);
    arrays_fill(a, &problem);
    ok(a->sets == 1 && a->slices == NULL && one[0] == a->separate[0] && one[1] == a->separate[1],
       "SEPARATE gives each array its own allocation");
    ok(arrays_trespass(a, 0) == NULL, "separate arrays have no guard bands");
    has(after_write(a, 0, 0, 40), "writes to its input 'in'",
        "a write to an input of separate arrays is found");
    arrays_free(a);
    return done_testing();
}
