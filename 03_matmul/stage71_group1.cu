// stage71: experiment
#define GROUP 1
#include "stage15_rasterization.cu"
