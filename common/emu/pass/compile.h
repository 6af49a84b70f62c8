// Runs g++ on what the source pass wrote.
#ifndef PASS_COMPILE_H
#define PASS_COMPILE_H

// `command` compiles FILE.ii (-c). Prints its messages in terms of the source, errors of calls from
// the wrong side, and warnings of values that the CPU device does not see. Returns the status.
int compile(const char *ii, char **command);

#endif
