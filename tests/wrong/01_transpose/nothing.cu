// wrong: stores nothing. The output keeps the pattern that the harness wrote there.
//
// Rejected: 1 of 1 elements of 'out' are wrong, 1 of them never written
// Rejected (gpu): 1 of 1 elements of 'out' are wrong, 1 of them never written
#include "transpose.h"

__global__ void nothing(void) {}

void transpose(const float *, float *, int, int) { nothing<<<1, 32>>>(); }
