// stage52: experiment
#define PLAIN
#define SNAKE
#include "stage18_stream_k.cu"
