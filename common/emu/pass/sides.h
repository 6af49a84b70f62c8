#ifndef PASS_SIDES_H
#define PASS_SIDES_H

#include "refused.h"

// Prints an error for each call of a function on the wrong side: a host function that a kernel
// calls, a launch of a function that is no kernel. Also for kernels that return a value. Returns
// the number of errors. Silent where the called function is not certain.
// is_one_view: device code of files that mention __CUDA_ARCH__ may be what they have for the host.
int report_sides(const Source &, bool is_one_view, NvccOptions);

#endif
