// `ladder palette`: the colors of figures and drawings, from plots/palette.gp and from the file
// that make PALETTE= names.
#include "figures.h"

#include <stdlib.h>
#include <string.h>

#define NAME(N) #N,
static const char *const name[] = { COLORS(NAME) };

// "BLUE = 0x0072B2": sets the color.
static void read_color(const struct lines *l, const char *line, int value[])
{
    char word[32];
    unsigned color;
    int end = 0;

    if (sscanf(line, "%31[A-Z0-9_] = 0x%6x%n", word, &color, &end) != 2 || line[end])
        fail("%s: '%s': expected a line like BLUE = 0x0072B2", l->where, line);
    for (int i = 0; i < ALL_COLORS; i++)
        if (strcmp(word, name[i]) == 0) {
            value[i] = (int)color;
            return;
        }
    fail("%s: '%s': expected a color of plots/palette.gp", l->where, word);
}

static void read_colors(const char *path, const char *file, int value[])
{
    struct lines l = lines_of(path, file, "lines like BLUE = 0x0072B2");
    const char *line;

    while ((line = next_line(&l)))
        read_color(&l, line, value);
}

int rgb(enum color color)
{
    static int value[ALL_COLORS], is_read;
    const char *own = setting("LADDER_PALETTE");

    if (!is_read) {
        is_read = 1;
        read_colors(text_of("%s/plots/palette.gp", root_folder()), "plots/palette.gp", value);
        if (own[0]) {
            free(read_text(own));   // ends the program if it is not there
            read_colors(own, own, value);
        }
    }
    return value[color];
}

void print_palette(void)
{
    for (int i = 0; i < ALL_COLORS; i++)
        printf("%s = 0x%06X\n", name[i], rgb(i));
}

enum status command_palette(struct arguments a)
{
    no_options(&a);
    print_palette();
    return STATUS_OK;
}
