// stage74: experiment
#define SNAKE
#define WORDS
#include "stage14_deep_tiles.cu"
