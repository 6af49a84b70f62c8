#error "the CPU device has no cuRAND: this program needs a GPU"
