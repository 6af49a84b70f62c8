#error "the CPU device has no Thrust: this program needs a GPU"
