// How every program of the ladder ends, and the one line on stderr that says why; text that it
// builds.
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stddef.h>

#include "status.h"

#ifdef __cplusplus
#define NEVER_RETURNS [[noreturn]]
extern "C" {
#else
#define NEVER_RETURNS _Noreturn
#endif

// Prints "program: message" to stderr, after what stdout still holds.
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

// The same as warn(), and ends the program with this status.
NEVER_RETURNS void die(enum status, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Has `handler` called, once, before die() ends the program, with the status that it ends with.
// The only pointer to a program's state that is kept outside it: any function may end the program.
void on_die(void (*handler)(void *context, enum status), void *context);

// The exit status of a program that ends with `status`, after everything that it printed was
// written; says so on stderr if it was not.
enum status finish(enum status status);

// malloc() that ends the program with STATUS_ERROR if there is no memory.
void *must_malloc(size_t bytes);

// Text that is allocated and kept until the program ends.
char *text_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Removes the bytes of a UTF-8 character that was cut off at the end of a text; returns the text.
char *whole_characters(char *text);

// The first bytes of a text, at most that many, without a cut character. Kept like text_of()'s.
char *text_head(const char *text, size_t most);

// UTF-8 characters of a text.
size_t characters_of(const char *text);

// The next word of a list, after which *list then begins; NULL at its end. Words are separated by
// blanks.
const char *next_word(const char **list);

// Whether a list of words holds this one.
int has_word(const char *list, const char *word);

// The list with a word added behind it.
const char *with_word(const char *list, const char *word);

#ifdef __cplusplus
}
#endif

#endif
