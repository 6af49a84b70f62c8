// stage51: experiment
#define PLAIN
#include "stage18_stream_k.cu"
