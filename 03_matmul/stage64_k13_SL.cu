// stage64: experiment
#define SNAKE
#include "stage13_lane_positions.cu"
