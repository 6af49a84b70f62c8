#error "the CPU device has no cuFFT: this program needs a GPU"
