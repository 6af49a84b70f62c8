#error "the CPU device has no cuDNN: this program needs a GPU"
