#define _GNU_SOURCE   // program_invocation_short_name
#include "arguments.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

NEVER_RETURNS static void help(const char *about, const struct argument *known, int n)
{
    printf("%s: %s\n\nusage: %s%s\n", program_invocation_short_name, about,
           program_invocation_short_name, n ? " [options]" : "");
    for (const struct argument *a = known; a < known + n; a++) {
        int word = a->value ? (int)strcspn(a->help, " ") + 1 : 0;

        printf("      %s%*.*s%s\n", a->name, (int)strlen(a->name) - 18, word,
               a->value ? text_of(" %s", a->help) : "", a->help + word);
    }
    puts(
        "  -h, --help            print this text\n\n"
        "Exit status: 0 correct; 1 wrong result; 2 bad usage or unusable file; 3 CUDA error or out "
        "of memory; 77 skipped.");
    exit(finish(STATUS_OK));
}

void take_arguments(int argc, char **argv, const char *about, const struct argument *known, int n)
{
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        size_t length = strcspn(word, "=");
        const struct argument *a = known;

        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
            help(about, known, n);
        while (a < known + n && (strlen(a->name) != length || strncmp(word, a->name, length) != 0))
            a++;
        if (a == known + n && word[0] == '-' && word[1])
            die(STATUS_USAGE, "%s: unknown option; see --help", word);
        if (a == known + n)
            die(STATUS_USAGE, "'%s': unknown argument; see --help", word);
        if (a->flag && word[length])
            die(STATUS_USAGE, "%s: takes no value; see --help", word);
        if (!a->flag && !word[length] && i + 1 == argc)
            die(STATUS_USAGE, "%s: needs a value; see --help", word);
        if (a->flag)
            *a->flag = 1;
        else
            *a->value = word[length] ? word + length + 1 : argv[++i];
    }
}

int whole_number(const char *text, long long least, long long most, long long *value)
{
    size_t sign = *text == '-' || *text == '+', digits = strspn(text + sign, "0123456789");

    *value = strtoll(text, NULL, 10);   // LLONG_MAX if the number is larger
    return digits > 0 && !text[sign + digits] && *value >= least && *value <= most;
}

long long argument_number(const char *name, const char *text, long long least, long long most)
{
    long long value;

    if (!whole_number(text, least, most, &value))
        die(STATUS_USAGE, "%s '%s': expected a whole number from %lld to %lld", name, text, least,
            most);
    return value;
}
