#error "the CPU device has no cuSPARSE: this program needs a GPU"
