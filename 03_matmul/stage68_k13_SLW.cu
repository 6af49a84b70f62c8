// stage68: experiment
#define SNAKE
#define WORDS
#include "stage13_lane_positions.cu"
