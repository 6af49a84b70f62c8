// stage61: experiment
#define PLAIN
#include "stage13_lane_positions.cu"
