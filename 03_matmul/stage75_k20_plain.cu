// stage75: experiment
#define PLAIN
#include "stage20_tma.cu"
