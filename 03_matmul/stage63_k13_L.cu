// stage63: experiment
#include "stage13_lane_positions.cu"
