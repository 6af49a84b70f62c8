// stage65: experiment
#define PLAIN
#define WORDS
#include "stage13_lane_positions.cu"
