// stage55: experiment
#define PLAIN
#define WORDS
#include "stage18_stream_k.cu"
