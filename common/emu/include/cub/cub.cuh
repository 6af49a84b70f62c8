#error "the CPU device has no CUB: this program needs a GPU"
