// stage56: experiment
#define PLAIN
#define SNAKE
#define WORDS
#include "stage18_stream_k.cu"
