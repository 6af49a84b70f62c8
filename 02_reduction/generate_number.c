// generate_number: the number of a student in the classroom challenge (a cumulative sum by hand)
//
// No GPU needed. Without arguments the program asks for the group and the ID.
// make generate_number && ./generate_number 1 7
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS = 99, IDS = 9999, NUMBERS = 99 };   // each from 1 to this

static const char help[] =
    "usage: generate_number            asks for the group and the ID\n"
    "       generate_number GROUP ID   takes them as arguments\n"
    "       generate_number --help\n"
    "\n"
    "Prints the number, 1 to 99, that a student adds to the cumulative sum of the group. The "
    "number "
    "is pseudorandom: the same group and ID\n"
    "give the same number each time, on every machine.\n"
    "\n"
    "  GROUP   1 to 99\n"
    "  ID      1 to 9999; the IDs of a group are consecutive: 1 2 3 ...\n"
    "\n"
    "The questions go to standard error. Standard output has only the number.\n"
    "Exit status: 0 success; 2 bad usage.\n";

// Returns 1 + h % 99, where h is the finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014)
// of group * 2^32 + id.
static unsigned number_of(unsigned group, unsigned id)
{
    uint64_t z = (uint64_t)group << 32 | id;

    z += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    z ^= z >> 31;
    return 1 + z % NUMBERS;
}

// Returns a whole number from 1 to `most`. Exits with a message if the text is anything else.
static unsigned parse(const char *what, const char *text, unsigned most)
{
    size_t digits = strspn(text, "0123456789");
    // ULONG_MAX if the digits exceed it
    unsigned long value = strtoul(text, NULL, 10);

    if (digits == 0 || text[digits] || value < 1 || value > most) {
        fprintf(stderr, "generate_number: %s '%.40s': expected a whole number from 1 to %u\n", what,
                text, most);
        exit(2);
    }
    return (unsigned)value;
}

static unsigned ask(const char *question, const char *what, unsigned most)
{
    char line[256];
    char *text = line;

    fputs(question, stderr);
    if (!fgets(line, sizeof line, stdin)) {
        fprintf(stderr,
                "\ngenerate_number: no %s: the input ended; expected a whole number from 1 to %u\n",
                what, most);
        exit(2);
    }
    while (isspace((unsigned char)*text))
        text++;
    for (char *end = text + strlen(text); end > text && isspace((unsigned char)end[-1]);)
        *--end = '\0';
    return parse(what, text, most);
}

int main(int argc, char **argv)
{
    unsigned group, id;

    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(help, stdout);
    } else {
        if (argc != 1 && argc != 3) {
            fprintf(stderr,
                    "generate_number: '%s': expected GROUP and ID, or no arguments to be asked for "
                    "them\n",
                    argv[argc == 2 ? 1 : 3]);
            return 2;
        }
        group = argc == 3 ? parse("group", argv[1], GROUPS) : ask("Group: ", "group", GROUPS);
        id = argc == 3 ? parse("ID", argv[2], IDS) : ask("ID: ", "ID", IDS);
        printf("%u\n", number_of(group, id));
    }
    if (fflush(stdout)) {
        perror("generate_number: standard output");
        return 2;
    }
    return 0;
}
