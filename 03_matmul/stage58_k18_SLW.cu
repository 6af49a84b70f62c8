// stage58: experiment
#define SNAKE
#define WORDS
#include "stage18_stream_k.cu"
