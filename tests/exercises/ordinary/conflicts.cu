// Graded: 6 partial: ^st_sectors .* .128x128, float.: no:
#include "transpose.h"

// Here: transpose_tile of bank_conflicts.cu

// Here: transpose of honest.cu
