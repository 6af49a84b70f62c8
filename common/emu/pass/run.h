#ifndef PASS_RUN_H
#define PASS_RUN_H

#include <string>
#include <vector>

// The text of a file. Ends the program if it cannot be read.
std::string contents_of(const char *path);

// Runs a command, whose words end with null. Returns its status. What it prints on stderr is in
// *messages.
int run_command(const std::vector<char *> &words, std::string *messages);

#endif
