// stage53: experiment
#include "stage18_stream_k.cu"
