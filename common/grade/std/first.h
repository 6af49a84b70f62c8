#pragma GCC system_header
// Included before a submission. The templates of the C++ library are compiled with the submission,
// so that their accesses are checked, too; those that the library contains compiled are not.
#include <cstddef>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#include <string.h>
