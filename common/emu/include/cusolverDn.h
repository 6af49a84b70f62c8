#error "the CPU device has no cuSOLVER: this program needs a GPU"
