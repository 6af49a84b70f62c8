#ifndef PASS_VALUES_H
#define PASS_VALUES_H

#include <string>

// Warns of the accesses of device code that g++ does not announce. `list` is its list of
// statements; `pass` is what the source pass wrote, which names the device code.
void warn_of_values(const std::string &list, const std::string &pass);

// For grading: prints what is wrong with the first such access, also in host code, as
// "line 12: ...". Prints nothing if there is none.
void print_first_value(const std::string &list);

#endif
