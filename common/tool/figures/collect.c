#include "figures.h"

#include <string.h>

#include "runs.h"

// The parts of the current folder's `runs` that a figure shows on this device.
static const char *parts_of_figures(const char *device)
{
    const char *list = parts_of_file(device), *parts = "", *part;
    struct figures all = figures_of(this_week());

    while ((part = next_word(&list)))
        for (int i = 0; i < all.n && !has_word(parts, part); i++)
            if (strcmp(figure_text(&all.of[i], "part"), part) == 0)
                parts = with_word(parts, part);
    return parts;
}

// ladder collect MACHINE: measures the parts of the file `runs` that figures show, into results/.
// take_machine() reads MACHINE.
enum status command_collect(struct arguments a)
{
    const struct machine b = take_machine(&a);

    no_options(&a);
    if (a.n)
        fail("collect: '%s': expected no argument", a.word[0]);
    return measure_into_results(&b, parts_of_figures(b.device));
}
