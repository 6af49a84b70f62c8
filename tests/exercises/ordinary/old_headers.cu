// Graded: 9 solved:
#include "transpose.h"
#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/time.h>
#include <unistd.h>

// Here: transpose_tile of honest.cu

// Here: transpose of honest.cu
