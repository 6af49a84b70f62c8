// What g++ prints about the output of the source pass, in terms of the source.
#ifndef PASS_MESSAGES_H
#define PASS_MESSAGES_H

#include <string>

// Prints g++'s messages without those about headers of the CPU device. An error there is reported
// at the line of the program that causes it; an error of a launch, in terms of the kernel.
void print_messages(const std::string &messages);

#endif
