// stage54: experiment
#define SNAKE
#include "stage18_stream_k.cu"
