// stage76: experiment
#define SNAKE
#define WORDS
#include "stage20_tma.cu"
