// Graded: 9 solved:
#include "transpose.h"

/* Größe: 32×32, 分块, плитка "tile" ' */
// A backslash at the end joins the next line: \
   which is still a comment
// Here: transpose_tile of honest.cu

// Here: transpose of honest.cu
