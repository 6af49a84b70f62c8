// stage62: experiment
#define PLAIN
#define SNAKE
#include "stage13_lane_positions.cu"
