// stage73: experiment
#define PLAIN
#include "stage14_deep_tiles.cu"
