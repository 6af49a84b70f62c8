// stage66: experiment
#define PLAIN
#define SNAKE
#define WORDS
#include "stage13_lane_positions.cu"
