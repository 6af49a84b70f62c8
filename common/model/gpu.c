#define _GNU_SOURCE   // getline
#include "gpu.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folders.h"
#include "program.h"

// The short name of a data sheet's GPU: its first words up to one with a digit, in lower case and
// without blanks.
static const char *short_name(const char *row)
{
    char *name = text_of("%s", row), *to = name;
    int has_digit = 0;

    for (; *row && !(has_digit && *row == ' '); row++) {
        has_digit |= isdigit((unsigned char)*row) != 0;
        if (*row != ' ')
            *to++ = (char)tolower((unsigned char)*row);
    }
    *to = '\0';
    return name;
}

// A GPU's number or capability. Of several rows with one short name, as PCIe and SXM cards, the
// last one counts: it has more SMs.
static void take(struct gpu *g, const char *row, const char *name, double value)
{
    if (strcmp(name, "capability") == 0) {
        g->sm = (int)(10 * value + 0.5);
        snprintf(g->row, sizeof g->row, "%s", row);
        // wgmma and setmaxnreg need the variant
        snprintf(g->arch, sizeof g->arch, "sm_%d%s", g->sm, g->sm == 90 ? "a" : "");
    } else if (strcmp(name, "device.sms") == 0) {
        g->sms = value;
    } else if (strcmp(name, "device.l2") == 0) {
        g->l2_bytes = value;
    } else if (strcmp(name, "dram.size") == 0) {
        g->dram_bytes = value * 1e9;
    }
}

static void must_open(FILE *file, const char *path)
{
    if (!file)
        die(STATUS_USAGE, "%s: no such file; it has the numbers of GPUs", path);
}

// Fills in the GPU, and returns the list of all names.
static const char *read_datasheets(const char *path, struct gpu *g)
{
    FILE *file = fopen(path, "r");
    const char *known = "", *last = "";
    char *line = NULL, *row, *name, *value, *rest;
    size_t room = 0;

    must_open(file, path);
    while (getline(&line, &room, file) > 0) {
        row = strtok_r(line, "\t", &rest);
        name = strtok_r(NULL, "\t", &rest);
        value = strtok_r(NULL, "\t", &rest);
        // the second part of the file is by compute capability
        if (!value || line[0] == '#' || !isalpha((unsigned char)row[0]) ||
            !isdigit((unsigned char)value[0]))
            continue;
        if (strcmp(short_name(row), last) != 0) {
            last = short_name(row);
            known = joined(known, ", ", last);
        }
        if (strcmp(last, g->name) == 0)
            take(g, row, name, strtod(value, NULL));
    }
    free(line);
    fclose(file);
    return known;
}

const char *gpu_find(const char *machines, const char *name, struct gpu *g)
{
    const char *known;

    *g = (struct gpu){ 0 };
    snprintf(g->name, sizeof g->name, "%s", name);
    known = read_datasheets(text_of("%s/datasheets.tsv", machines), g);
    if (!g->sm)
        return text_of("no such GPU; expected one of %s", known);
    g->is_measured = file_time(text_of("%s/%s.tsv", machines, name)) > 0;
    return NULL;
}
