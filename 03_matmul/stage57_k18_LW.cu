// stage57: experiment
#define WORDS
#include "stage18_stream_k.cu"
