// How every program of the ladder ends, with one line on stderr that says why; and text functions.
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stdarg.h>
#include <stddef.h>

#include "status.h"

#ifdef __cplusplus
#define NEVER_RETURNS [[noreturn]]
extern "C" {
#else
#define NEVER_RETURNS _Noreturn
#endif

// Opens /dev/null for each of the descriptors 0 to 2 that is closed, so that no file that is opened
// later becomes stdin, stdout or stderr. What is written to it fails, as with a closed descriptor.
// Called first thing in main().
void occupy_standard_descriptors(void);

// Flushes stdout, then prints "program: message" to stderr.
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

// The same as warn(), and ends the program with this status.
NEVER_RETURNS void die(enum status, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Registers a handler that die() calls once, with the exit status and the message, before it ends
// the program. This is the only pointer to a program's state that is kept outside it: any function
// may end the program.
typedef void die_handler(void *context, enum status, const char *message);
void on_die(die_handler *, void *context);

// Flushes stdout, and returns the exit status of a program that ends with `status`. If stdout
// cannot be written, prints a message to stderr and returns STATUS_USAGE instead of STATUS_OK.
enum status finish(enum status status);

// malloc() that ends the program with STATUS_ERROR if there is no memory.
void *must_malloc(size_t bytes);

// The same, for n elements that are zero.
void *must_calloc(size_t n, size_t size);

// Makes room for one more element in an array of n, which is NULL at first, and returns the array.
void *grown(void *array, size_t n, size_t size);

// Text that is allocated and kept until the program ends.
char *text_of(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *text_of_list(const char *format, va_list) __attribute__((format(printf, 1, 0)));

// Whether c is a byte of a UTF-8 character other than its first.
int goes_on(char c);

// Removes the bytes of a UTF-8 character that was cut off at the end of a text; returns the text.
char *whole_characters(char *text);

// Replaces tabs, line ends and other control characters by blanks. Returns the text.
char *on_one_line(char *text);

// The first bytes of a text, at most `most`, without a partial character. Kept until the program
// ends.
char *text_head(const char *text, size_t most);

// The number of UTF-8 characters in a text.
size_t characters_of(const char *text);

// Returns the next word of a list and moves *list past it; NULL at the end. Words are separated by
// blanks.
const char *next_word(const char **list);

// Whether a list of words contains this one.
int has_word(const char *list, const char *word);

// The value of the word NAME=VALUE, or NULL.
const char *word_value(const char *list, const char *name);

// Two texts with a separator between them, unless one of them is empty.
const char *joined(const char *text, const char *separator, const char *more);

// The list with a word appended.
const char *with_word(const char *list, const char *word);

int same(const char *a, const char *b);

// Seconds of wall time since some start.
double seconds_now(void);

#ifdef __cplusplus
}
#endif

#endif
