// Lines that fit the terminal.
#ifndef TERMINAL_H
#define TERMINAL_H

#ifdef __cplusplus
extern "C" {
#endif

// From now on, lines that a program prints to a terminal are broken at blanks, with indentation, so
// that they have at most as many columns as the terminal, and at least 80. COLUMNS of the
// environment replaces the terminal's width, also where stdout is a file or a pipe; without it,
// such output stays as it is.
void fit_terminal(void);

#ifdef __cplusplus
}
#endif

#endif
