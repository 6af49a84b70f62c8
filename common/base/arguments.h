// The command line of a program that is not a stage: a demonstration, a calculator.
#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#ifdef __cplusplus
extern "C" {
#endif

// One option. Either `value` or `flag` is set. With `value`, the option has a value, whose name in
// --help is the first word of `help`.
struct argument {
    const char *name, *help;   // "--size", "N the largest n"
    const char **value;
    int *flag;
};

// The option of programs that write rows.
#define ARGUMENT_TSV "--tsv", "FILE append rows to FILE; -: print only these"

// Parses the command line: "--size 4" or "--size=4". --help prints `about` and the options, and
// ends the program. Any other argument ends it with STATUS_USAGE.
void take_arguments(int argc, char **argv, const char *about, const struct argument *, int n);

// Parses a whole number from `least` to `most`. Returns 0 for any other text.
int whole_number(const char *text, long long least, long long most, long long *value);

// The value of an option. Ends the program unless it is a whole number from `least` to `most`.
long long argument_number(const char *name, const char *text, long long least, long long most);

#ifdef __cplusplus
}
#endif

#endif
