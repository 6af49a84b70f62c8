// stage67: experiment
#define WORDS
#include "stage13_lane_positions.cu"
