// wrong: refuses every size, so that no result can be wrong
//
// Rejected (status 77): ^SKIP: stage[0-9]+: not today
#include "transpose.h"

void transpose(const float *, float *, int, int) { refuse("not today"); }
