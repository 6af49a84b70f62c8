// stage72: experiment
#define GROUP 16
#include "stage15_rasterization.cu"
